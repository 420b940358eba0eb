"""Komi: the points that White has in go for moving second."""

from __future__ import annotations

_USUAL, _SMALL = 7.5, {9: 7.0}  # on 9 x 9 a tie where both sides play well


def komi_of(size: int) -> float:
    """Return the komi of the catalogue's games, and of PettingZoo's go, on a board of that size."""
    return _SMALL.get(size, _USUAL)
