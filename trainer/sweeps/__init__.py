"""Sweeps and populations through Ray Tune."""
