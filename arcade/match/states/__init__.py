"""Saved states of a game in this process: what is saved, and how each kind of object is brought back."""
