"""The fixed tick: when the next advance of a game is due."""

from __future__ import annotations

MAX_CATCH_UP = 4
"""Ticks that may be made up after a stall; what is older is dropped, so that a slow game slows down evenly."""


class Pacer:
    """Due times a fixed period apart, on the caller's clock; `rate` in ticks a second.

    >>> pacer = Pacer(60.0)
    >>> pacer.start(now=5.0)
    >>> pacer.is_due(5.0), pacer.is_due(5.02)
    (False, True)
    """

    def __init__(self, rate: float) -> None:
        if not rate > 0:
            raise ValueError(f"expected a tick rate > 0, got: {rate}")
        self.period = 1.0 / rate
        self._due = float("inf")

    def start(self, now: float) -> None:
        """The next tick is one period from `now`; also after a pause."""
        self._due = now + self.period

    def is_due(self, now: float) -> bool:
        return now >= self._due

    def advance(self, now: float) -> None:
        """One tick was taken; a backlog of more than `MAX_CATCH_UP` periods is dropped."""
        self._due = max(self._due + self.period, now - (MAX_CATCH_UP - 1) * self.period)
