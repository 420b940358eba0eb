"""Opponent pools, PFSP, the league, freezing, placement and evaluation."""
