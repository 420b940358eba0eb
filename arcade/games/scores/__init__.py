"""The score of a game: its unit, its text, and how it is read; `readings` has the games' own."""

from arcade.games.scores.score import NO_SCORE, RETURNS, Points, Reader, Score, Source
from arcade.games.scores.sources import Entry, Info, Ram, Wins

__all__ = ["NO_SCORE", "RETURNS", "Entry", "Info", "Points", "Ram", "Reader", "Score", "Source", "Wins"]
