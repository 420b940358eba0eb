"""FramePacer: schedules frames, and records their intervals."""

from __future__ import annotations

from collections import deque


class FramePacer:
    """Schedules `fps` frames a second.

    A slow frame shortens the wait for the next; after a stall of more than `catch_up` frames the schedule restarts.
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
        """Return the seconds from `now` until the next frame is due; 0 when it is."""
        return 0.0 if self._due is None else max(0.0, self._due - now)

    def started(self, now: float) -> None:
        """Note the start of a frame at `now`."""
        if self._due is None or now - self._due > self._catch_up * self.period:
            self._due = now
        self._due += self.period

    def shown(self, now: float) -> None:
        """Note that a frame reached the window at `now`."""
        if self._last is not None:
            self._intervals.append((now - self._last) * 1000.0)
        self._last = now

    @property
    def intervals_ms(self) -> tuple[float, ...]:
        """Milliseconds between the frames of the last ten minutes, oldest first."""
        return tuple(self._intervals)

    def forget(self) -> None:
        """Drop the intervals."""
        self._intervals.clear()
        self._last = None
