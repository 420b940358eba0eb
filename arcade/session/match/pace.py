"""The clock of a match: speed, single ticks, rewinding, and ticks between two frames."""

from __future__ import annotations

import time
from collections.abc import Callable

from arcade.match.play.adjustable import AdjustableMatch
from arcade.match.play.match import Match
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.tick import Frame

SPEEDS = (1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0)
"""Times the game's own rate, from slow motion to fast."""

SECONDS_BACK = 10
"""How far a rewind of a real-time game leads; a turn-based one goes back by a move of everybody."""


class Pace:
    """The clock of one match; a match whose clock was turned is not rated."""

    def __init__(self, match: AdjustableMatch, running: Running, *, speed: float, say: Callable[..., None]) -> None:
        self._match, self._running, self._say = match, running, say
        self.speed = speed
        self._went_back = False

    @property
    def words(self) -> str:
        """For the bars: "" at the game's own pace."""
        return "" if self.speed == 1 else f"speed {speed_words(self.speed)}"

    def slower(self, now: float) -> None:
        """The next speed below; the lowest stays."""
        self.set_speed(max((speed for speed in SPEEDS if speed < self.speed), default=self.speed), now)

    def faster(self, now: float) -> None:
        """The next speed above; the highest stays."""
        self.set_speed(min((speed for speed in SPEEDS if speed > self.speed), default=self.speed), now)

    def set_speed(self, speed: float, now: float) -> None:
        """Go on at `speed` times the game's own rate."""
        if speed != self.speed and not self._match.over:
            self.speed = speed
            self._match.set_speed(speed, now)
            self._running.draw_all()
        self._say(f"Speed {speed_words(self.speed)}", about="speed")

    def step(self) -> None:
        """One tick of a match that stands."""
        self._match.step_once()

    def back(self) -> bool:
        """Go back by a few seconds, or moves; False where there is nothing to go back to."""
        match, spec = self._match, self._match.spec
        ticks = spec.seats if spec.turn_based else round(SECONDS_BACK * spec.fps)
        self._went_back = match.tick is not None and match.rewind(max(0, match.tick.index - ticks))
        self._say("Going back …" if self._went_back else "There is nothing to go back to")
        return self._went_back

    def update(self) -> None:
        """Tell of a way back that has come to its end."""
        if self._went_back and not self._match.rewinding and self._match.tick is not None:
            self._went_back = False
            other = self._match.settings.get("rewound_to_another_state")
            end = "this game does not repeat itself exactly" if other else "this match is no longer rated"
            self._say(f"Back at {moment_words(self._match)}; {end}")


def speed_words(speed: float) -> str:
    """1/8×, 1/2×, 1×, 4×."""
    return f"1/{round(1 / speed)}×" if speed < 1 and (1 / speed).is_integer() else f"{speed:g}×"


def moment_words(match: Match) -> str:
    """Where a match stands: minutes and seconds of its own time, or moves."""
    index = match.tick.index if match.tick is not None else 0
    if match.spec.turn_based:
        return f"move {index}"
    seconds = int(index / match.spec.fps)
    return f"{seconds // 60}:{seconds % 60:02d}"


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
