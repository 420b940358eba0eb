"""Frozen policies: the pool, who meets whom, freezing and rating."""
