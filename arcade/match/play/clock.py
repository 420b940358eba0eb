"""The time of a match: when its next tick is due, how long it has lasted and how fast it runs."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

MAX_CATCH_UP = 4
"""Ticks that may be made up after a stall; older ones are dropped, so that a slow game slows down evenly."""


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
        """Count one tick; a backlog of more than `MAX_CATCH_UP` periods is dropped."""
        self._due = max(self._due + self.period, now - (MAX_CATCH_UP - 1) * self.period)


class RateMeter:
    """Ticks a second over the last `window` seconds, on the caller's clock."""

    def __init__(self, window: float = 2.0, most: int = 256) -> None:
        self._window = window
        self._counted: deque[float] = deque(maxlen=most)

    def count(self, now: float) -> None:
        """Note one tick."""
        self._counted.append(now)

    def rate(self, now: float) -> float | None:
        """None with fewer than four recent ticks."""
        recent = [at for at in self._counted if now - at < self._window]
        if len(recent) < 4 or recent[-1] <= recent[0]:
            return None
        return (len(recent) - 1) / (recent[-1] - recent[0])

    def clear(self) -> None:
        """Forget all ticks, as after a change of speed."""
        self._counted.clear()


class MatchClock:
    """Paces a match at `rate` ticks a second; without a rate a tick is always due."""

    def __init__(self, rate: float | None, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.meter = RateMeter()
        self._pacer = Pacer(rate) if rate else None
        self._began_at = 0.0

    @property
    def rate(self) -> float | None:
        """The wanted ticks a second; None for as many as possible."""
        return 1.0 / self._pacer.period if self._pacer else None

    @property
    def paced(self) -> bool:
        return self._pacer is not None

    @property
    def elapsed(self) -> float:
        """Seconds since `begin`, pauses included."""
        return self.now() - self._began_at

    def begin(self) -> None:
        """Count `elapsed` from now on."""
        self._began_at = self.now()

    def set_rate(self, rate: float, now: float) -> None:
        """Tick at another rate from `now` on."""
        self._pacer = Pacer(rate)
        self.meter.clear()
        self.restart(now)

    def restart(self, now: float) -> None:
        """The next tick is due one period from `now`."""
        if self._pacer:
            self._pacer.start(now)

    def advance(self, now: float) -> None:
        """A tick was taken at `now`."""
        if self._pacer:
            self._pacer.advance(now)

    def is_due(self, now: float) -> bool:
        return self._pacer is None or self._pacer.is_due(now)

    def due_in(self, now: float) -> float:
        """Seconds until the next tick; infinity where no rate says."""
        return self._pacer.due_in(now) if self._pacer else float("inf")
