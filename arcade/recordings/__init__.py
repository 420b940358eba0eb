"""Demonstrations: recorded matches as takes that people keep, and as data sets that agents learn from."""
