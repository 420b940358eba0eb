"""FramePacer: when frames are due, and when they are shown."""

from __future__ import annotations

from collections import deque

MEASURED = 120
"""Frames whose times say when the next ones are shown."""

NUDGE = 0.02
"""Share of its length by which a frame is moved at most."""

IN_TIME = 0.95
"""Share of the frames that are ready when they are to be shown."""


class FramePacer:
    """Schedules `fps` frames a second; times are seconds of one clock.

    A slow frame shortens the wait for the next; after a stall of more than `CATCH_UP` frames the schedule restarts.
    Frames take different times to draw.  Each is shown when nineteen of twenty are ready, at most half a frame after it
    was due, so that the pictures come at even intervals.
    """

    CATCH_UP = 3

    def __init__(self, fps: float) -> None:
        self.limit(fps)
        self._due: float | None = None
        self._show_at = 0.0
        self._is_moved = False  # since the last frame
        self._times: deque[float] = deque(maxlen=MEASURED)  # from a frame's due time until it was ready

    def limit(self, fps: float) -> None:
        """Schedule so many frames a second from the next one on."""
        self.period = 1.0 / fps

    def wait(self, now: float) -> float:
        """Return the seconds from `now` until the next frame is due; 0 when it is."""
        return 0.0 if self._due is None else max(0.0, self._due - now)

    def started(self, now: float) -> None:
        """Note the start of a frame at `now`."""
        if self._due is None or now - self._due > self.CATCH_UP * self.period:
            self._due = now
        self._show_at = self._due + self._lead()
        self._is_moved = False
        self._due += self.period

    def keep_clear(self, now: float) -> None:
        """Move the schedule a little, so that what is due at `now`, and every frame, comes midway between two.

        Only the first call after each frame counts: what is due at every look must not put the next frame off.
        """
        if self._due is not None and not self._is_moved:
            self._is_moved = True
            late = (self._due - now) % self.period - self.period / 2
            self._due -= min(max(late, -NUDGE * self.period), NUDGE * self.period)

    def ready(self, now: float) -> None:
        """Note that the frame is drawn at `now`."""
        if self._due is not None:
            self._times.append(now - (self._due - self.period))

    def wait_to_show(self, now: float) -> float:
        """Return the seconds from `now` until the frame that is ready is shown; 0 when it is late."""
        return max(0.0, self._show_at - now)

    def _lead(self) -> float:
        """The seconds from a frame's due time until it is shown."""
        if not self._times:
            return 0.0
        return max(0.0, min(sorted(self._times)[int(IN_TIME * len(self._times))], self.period / 2))
