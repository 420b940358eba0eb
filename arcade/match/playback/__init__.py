"""Recorded matches: reading, replaying, verifying."""
