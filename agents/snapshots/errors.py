"""GraphError: an ONNX graph that no snapshot may have."""

from __future__ import annotations


class GraphError(ValueError):
    """A file that is not an ONNX model, or has contents that a snapshot may not have."""
