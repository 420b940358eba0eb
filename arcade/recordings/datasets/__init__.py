"""Recordings as data sets."""
