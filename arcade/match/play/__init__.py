"""Matches: seats, pacing, results."""
