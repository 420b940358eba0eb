"""Running: a match driven by a window's frames, one tick or many between two of them."""

from __future__ import annotations

import time
from collections.abc import Callable

from arcade.match.play.match import Match
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.tick import Frame

WINDOW_RATE = 60.6
"""Ticks a second above which one a frame is too few."""

BUDGET = 0.004
"""Seconds of a frame that a match faster than the window may take for its ticks."""

NAP = 0.004
"""Seconds between two looks at the child of any other match, at most."""

GLANCE = 0.0003
"""Seconds between two looks at a child that works on a tick of a match faster than the window."""


class Running:
    """Call `frame` once a frame and `rest` between two.

    Nothing waits for a tick, and of a match faster than the window only pictures that may be seen are drawn.
    """

    def __init__(self, match: Match, stage: HostedStage, *, clock: Callable[[], float]) -> None:
        self._match, self._stage, self._clock = match, stage, clock
        self._shown: Frame | None = None  # what the newest picture was when this frame began

    @property
    def nap(self) -> float:
        """Seconds between two calls of `rest`, at most."""
        return GLANCE if self._is_fast else NAP

    def frame(self, now: float) -> None:
        """What is due by `now`."""
        self._match.advance(now)
        if self._is_fast:
            self._shown = self._match.frame
            self._catch_up()

    def rest(self, now: float) -> None:
        """The seats are asked as soon as the tick is there: who thinks far away has the rest of the frame for it."""
        if self._is_fast:
            self._step_faster(now)
        else:
            self._match.listen(now)

    def draw_all(self) -> None:
        """Have every tick drawn again, for whoever goes on with the stage or slows down."""
        self._stage.draws = True

    @property
    def _is_fast(self) -> bool:
        rate = self._match.clock.rate
        return rate is None or rate > WINDOW_RATE

    def _catch_up(self) -> None:
        """As many of the ticks that are due as the child brings within the budget."""
        match, end = self._match, time.monotonic() + BUDGET
        while time.monotonic() < end:
            before = match.tick
            self._step_faster(self._clock())
            if match.stepping:
                time.sleep(GLANCE)
            elif match.tick is before:
                return  # nothing is due, or the match is over

    def _step_faster(self, now: float) -> None:
        """Go on, and have no picture drawn beside the next to be shown: it takes longer than most ticks."""
        self._match.listen(now)
        self._stage.draws = self._match.frame is self._shown
        self._match.advance(now)
