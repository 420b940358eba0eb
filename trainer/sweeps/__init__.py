"""Sweeps and populations by Ray Tune."""
