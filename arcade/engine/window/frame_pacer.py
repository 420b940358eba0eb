"""FramePacer: when frames are due, and when they were shown."""

from __future__ import annotations

from collections import deque


class FramePacer:
    """Says when the next frame is due, `fps` times a second.

    Due times add up from the first, so a frame that took long shortens the wait for the next and the rate holds;
    after a stall of more than `catch_up` frames the schedule starts anew instead of rushing through them.
    """

    def __init__(self, fps: float, *, catch_up: int = 2, keep: int = 36_000) -> None:
        if fps <= 0:
            raise ValueError(f"expected fps > 0, got: {fps}")
        self.period = 1.0 / fps
        self._catch_up = catch_up
        self._due: float | None = None
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=keep)

    def wait(self, now: float) -> float:
        """Seconds from `now` until the next frame is due; 0 when it is."""
        return 0.0 if self._due is None else max(0.0, self._due - now)

    def started(self, now: float) -> None:
        """A frame begins at `now`: book it and set the next."""
        if self._due is None or now - self._due > self._catch_up * self.period:
            self._due = now
        self._due += self.period

    def shown(self, now: float) -> None:
        """A frame reached the window at `now`."""
        if self._last is not None:
            self._intervals.append((now - self._last) * 1000.0)
        self._last = now

    @property
    def intervals_ms(self) -> tuple[float, ...]:
        """Milliseconds between the frames shown, oldest first; the newest ten minutes."""
        return tuple(self._intervals)

    def forget(self) -> None:
        """Start the record of intervals anew."""
        self._intervals.clear()
        self._last = None
