"""Batch policies: random, functions, snapshots, the opponent pool; adapters to and from controllers."""
