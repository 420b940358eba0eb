"""Frozen policies: the pool, matchmaking, freezing and rating."""
