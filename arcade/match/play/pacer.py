"""The fixed tick: when the next advance of a game is due."""

from __future__ import annotations

from collections import deque

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

    def due_in(self, now: float) -> float:
        """Seconds until the next tick, 0 or less when it is due, infinity before `start`."""
        return self._due - now

    def advance(self, now: float) -> None:
        """One tick was taken; a backlog of more than `MAX_CATCH_UP` periods is dropped."""
        self._due = max(self._due + self.period, now - (MAX_CATCH_UP - 1) * self.period)


class RateMeter:
    """Ticks a second over the last `window` seconds, on the clock of whoever counts."""

    def __init__(self, window: float = 2.0, most: int = 256) -> None:
        self._window = window
        self._counted: deque[float] = deque(maxlen=most)

    def count(self, now: float) -> None:
        """A tick came."""
        self._counted.append(now)

    def rate(self, now: float) -> float | None:
        """None where fewer than four came lately."""
        recent = [at for at in self._counted if now - at < self._window]
        if len(recent) < 4 or recent[-1] <= recent[0]:
            return None
        return (len(recent) - 1) / (recent[-1] - recent[0])

    def clear(self) -> None:
        """Forget, as after a pause."""
        self._counted.clear()
