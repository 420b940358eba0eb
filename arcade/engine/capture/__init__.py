"""Clips of the last half minute."""
