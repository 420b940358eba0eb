"""Plays the matches of a tournament."""
