"""Budget: the positions and the time that a scripted player has to search for a move."""

from __future__ import annotations

import time

LONGEST_MOVE = 10.0
"""Seconds after which a search ends early, on a machine that has little time for it."""

_CLOCK_MASK = 255  # the clock is read at every 256th position


class OutOfBudgetError(Exception):
    """The search for this move is over."""


class Budget:
    """Counts positions down from so many."""

    __slots__ = ("_end", "left")

    def __init__(self, positions: int) -> None:
        self.left, self._end = positions, time.monotonic() + LONGEST_MOVE

    def spend(self) -> None:
        """Count a position; raises OutOfBudgetError where none is left, or no time."""
        self.left -= 1
        if self.left < 0 or (self.left & _CLOCK_MASK == 0 and time.monotonic() > self._end):
            raise OutOfBudgetError
