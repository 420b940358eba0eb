"""Running: plays a match in a window, one tick or many a frame."""

from __future__ import annotations

import time
from collections.abc import Callable

from arcade.match.play.match import Match
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.tick import Frame

WINDOW_RATE = 60.6
"""Ticks a second above which several are played in one frame."""

BUDGET = 0.004
"""Seconds of a frame for the ticks of a match faster than the window."""

NAP = 0.004
"""Seconds between two polls of the stage in any other match, at most."""

GLANCE = 0.0003
"""Seconds between two polls of the stage in a match faster than the window."""


class Running:
    """`frame` is called once a frame, `rest` between two; neither waits for a tick.

    In a match faster than the window, the stage draws only pictures that can be shown.
    """

    def __init__(self, match: Match, stage: HostedStage, *, clock: Callable[[], float]) -> None:
        self._match, self._stage, self._clock = match, stage, clock
        self._shown: Frame | None = None  # the newest picture as this frame began

    @property
    def nap(self) -> float:
        """Seconds between two calls of `rest`, at most."""
        return GLANCE if self._is_fast else NAP

    def frame(self, now: float) -> None:
        """Play what is due by `now`."""
        self._match.advance(now)
        if self._is_fast:
            self._shown = self._match.frame
            self._catch_up()

    def rest(self, now: float) -> None:
        """Take a finished tick and ask the seats at once, so that remote seats have the rest of the frame."""
        if self._is_fast:
            self._step_faster(now)
        else:
            self._match.listen(now)

    def draw_all(self) -> None:
        """Draw every tick again, as the match slows down."""
        self._stage.draws = True

    @property
    def _is_fast(self) -> bool:
        rate = self._match.clock.rate
        return rate is None or rate > WINDOW_RATE

    def _catch_up(self) -> None:
        """Play as many due ticks as the stage finishes within the budget."""
        match, end = self._match, time.monotonic() + BUDGET
        while time.monotonic() < end:
            before = match.tick
            self._step_faster(self._clock())
            if match.stepping:
                time.sleep(GLANCE)
            elif match.tick is before:
                return  # nothing is due, or the match is over

    def _step_faster(self, now: float) -> None:
        """Advance, and draw only the next picture to be shown: drawing takes longer than most ticks."""
        self._match.listen(now)
        self._stage.draws = self._match.frame is self._shown
        self._match.advance(now)
