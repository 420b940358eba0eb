"""Ratings from results: running ones, of all matches at once, by score, and for all pairs."""
