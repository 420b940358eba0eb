"""Policies: random, scripted, snapshots, and the pool they are drawn from."""
