"""Ratings that follow from results: of everyone at once with intervals, by score, and who beats whom."""
