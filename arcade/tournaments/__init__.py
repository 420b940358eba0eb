"""Tournaments: entrants, formats, pairings and standings.  Independent of what plays the matches."""
