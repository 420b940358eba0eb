"""Snapshots: frozen policies as ONNX files with a JSON card."""
