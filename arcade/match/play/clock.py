"""MatchClock: the time of the next tick, the duration and the speed of a match."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

MAX_CATCH_UP = 4
"""Ticks that may be made up after a stall; older ones are dropped, so that a slow game slows down evenly."""

RECENT = 2.0
"""Seconds over which the actual rate is measured."""


class MatchClock:
    """Paces a match at `rate` ticks a second; without a rate a tick is always due.

    >>> clock = MatchClock(60.0)
    >>> clock.restart(now=5.0)
    >>> clock.is_due(5.0), clock.is_due(5.02)
    (False, True)
    """

    def __init__(self, rate: float | None, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.rate = _checked(rate)  # wanted ticks a second; None for as many as possible
        self._due = float("inf")
        self._counted: deque[float] = deque(maxlen=256)
        self._began_at = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since `begin`, pauses included."""
        return self.now() - self._began_at

    def begin(self) -> None:
        """Count `elapsed` from now on."""
        self._began_at = self.now()

    def set_rate(self, rate: float, now: float) -> None:
        """Tick at another rate from `now` on."""
        self.rate = _checked(rate)
        self.jump(now)

    def jump(self, now: float) -> None:
        """Restart, and forget how fast the match ran."""
        self._counted.clear()
        self.restart(now)

    def restart(self, now: float) -> None:
        """The next tick is due one period from `now`; also after a pause."""
        self._due = now + 1.0 / self.rate if self.rate else now

    def advance(self, now: float) -> None:
        """Take one tick; a backlog of more than `MAX_CATCH_UP` periods is dropped."""
        if self.rate:
            self._due = max(self._due + 1.0 / self.rate, now - (MAX_CATCH_UP - 1) / self.rate)

    def postpone(self, seconds: float) -> None:
        """Let the next tick come so much later."""
        self._due += seconds

    def is_due(self, now: float) -> bool:
        return self.rate is None or now >= self._due

    def due_in(self, now: float) -> float:
        """Seconds until the next tick, 0 or less when it is due; infinity before `restart` and without a rate."""
        return self._due - now if self.rate else float("inf")

    def count(self, now: float) -> None:
        """Note that a tick came, for `rate_now`."""
        self._counted.append(now)

    def rate_now(self, now: float) -> float | None:
        """Actual ticks a second lately; None with fewer than four."""
        recent = [at for at in self._counted if now - at < RECENT]
        if len(recent) < 4 or recent[-1] <= recent[0]:
            return None
        return (len(recent) - 1) / (recent[-1] - recent[0])


def _checked(rate: float | None) -> float | None:
    if rate is not None and not rate > 0:
        raise ValueError(f"expected a tick rate > 0, got: {rate}")
    return rate
