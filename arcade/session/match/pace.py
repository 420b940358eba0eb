"""Pace: match speed (SPEEDS), single ticks and rewinding (SECONDS_BACK); Running: plays one tick or many a frame."""

from __future__ import annotations

import time
from collections.abc import Callable

from arcade.language import _
from arcade.match.play.adjustable import AdjustableMatch
from arcade.match.play.match import Match
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.tick import Frame
from arcade.session.match.moment_texts import minutes, moment_of

SPEEDS = (1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0)
"""Speeds, in multiples of the game's own rate."""

REPLAY_SPEEDS = (*SPEEDS, 8.0)

SECONDS_BACK = 10
"""Seconds that a real-time game is rewound; a turn-based one by one move of each seat."""

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


class Pace:
    """The clock of one match; a match whose clock was changed is not rated."""

    def __init__(self, match: AdjustableMatch, stage: HostedStage, *, speed: float, say: Callable[..., None]) -> None:
        self._match, self._stage, self._say = match, stage, say
        self.speed = speed
        self._went_back = False

    @property
    def text(self) -> str:
        """The speed for the HUD; "" at the game's own rate."""
        return "" if self.speed == 1 else _("speed {speed}").format(speed=speed_text(self.speed))

    def shift(self, way: int, now: float) -> None:
        """Change to the next speed up (`way` 1) or down (-1)."""
        others = (speed for speed in SPEEDS if (speed - self.speed) * way > 0)
        self.set_speed(min(others, key=lambda speed: way * speed, default=self.speed), now)

    def set_speed(self, speed: float, now: float) -> None:
        """Play at `speed` times the game's own rate."""
        if speed != self.speed and not self._match.over:
            self.speed = speed
            self._match.set_speed(speed, now)
            self._stage.draws = True  # as the match may slow down
        self._say(_("Speed {speed}").format(speed=speed_text(self.speed)), about="speed")

    def step(self) -> None:
        """Play one tick of a paused match."""
        self._match.step_once()

    def back(self) -> bool:
        """Rewind by a few seconds, or moves; False where that is not possible."""
        match, spec = self._match, self._match.spec
        ticks = spec.seats if spec.turn_based else round(SECONDS_BACK * spec.fps)
        self._went_back = match.tick is not None and match.rewind(max(0, match.tick.index - ticks))
        self._say(_("Rewinding …") if self._went_back else _("Nothing to rewind"))
        return self._went_back

    def update(self) -> None:
        """Say where a rewind has ended."""
        if self._went_back and not self._match.rewinding and self._match.tick is not None:
            self._went_back = False
            self._say(back_text(self._match))


def back_text(match: Match) -> str:
    """Return where a match that went back has arrived."""
    other = match.settings.get("rewound_to_another_state")
    exact = _("Back at {moment}; this match is no longer rated")
    words = _("Back at {moment}; this game cannot be repeated exactly") if other else exact
    return words.format(moment=moment_of(match))


def speed_text(speed: float) -> str:
    """Return the text of a speed, such as 1/8×, 1× or 4×."""
    return f"1/{round(1 / speed)}×" if speed < 1 and (1 / speed).is_integer() else f"{speed:g}×"


def time_left_text(seconds: float) -> str:
    """Return the time on a side's clock, below ten seconds with tenths."""
    if seconds < 10:
        return f"0:{int(seconds * 10) / 10:04.1f}"
    return minutes(int(seconds))


def change_pace(pace: Pace, key: str, now: float) -> None:
    """Do what the key does in a running and in a paused match."""
    match key:
        case "f5":
            pace.shift(-1, now)
        case "f6":
            pace.shift(1, now)
        case "f7":
            pace.step()
        case "f8":
            pace.back()
