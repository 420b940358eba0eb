"""Countdown: 3-2-1 before the clock of a real-time match runs, for the people in its seats."""

from __future__ import annotations

from math import ceil

SECONDS = 3.0


class Countdown:
    """Counts from `begin` to 0; `update` is called once a frame with the window's clock.

    It waits for the first picture of the match.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._ends_at: float | None = None
        self._now = 0.0
        self._is_asked = False

    @property
    def is_on(self) -> bool:
        """Whether the match waits for it."""
        return self._is_asked

    @property
    def number(self) -> int:
        """The number to show: 3, 2, 1; 0 while it is off."""
        if not self._is_asked:
            return 0
        left = self.seconds if self._ends_at is None else self._ends_at - self._now
        return max(1, ceil(left - 1e-6))

    def begin(self) -> None:
        """Count from the start."""
        self._is_asked, self._ends_at = True, None

    def cancel(self) -> None:
        """Stop without an end: the match was paused."""
        self._is_asked, self._ends_at = False, None

    def update(self, now: float, *, ready: bool) -> bool:
        """Count where the picture is `ready`; True once, when the match begins."""
        self._now = now
        if not self._is_asked or not ready:
            return False
        if self._ends_at is None:
            self._ends_at = now + self.seconds
        if now < self._ends_at:
            return False
        self.cancel()
        return True
