"""AdjustableMatch: a match whose clock people may turn: slower, faster, tick by tick, and back.

Whatever is turned keeps the match off the ladder, and stands in its result.
"""

from __future__ import annotations

from typing import Any

from arcade.match.play.history import History, MatchState, same
from arcade.match.play.match import Match
from arcade.match.play.pacer import Pacer
from arcade.match.stage.digest import tick_digest
from arcade.match.stage.tick import Tick

HISTORY = 24
"""Moments of a match that can be gone back to: seconds in a real-time game, moves in a turn-based one."""


class AdjustableMatch(Match):
    """Has a rate, and a stage that draws: such a stage remembers what was played."""

    def __init__(self, *arguments: Any, rate: float, **options: Any) -> None:
        super().__init__(*arguments, rate=rate, **options)
        self._single = False  # paused, and one tick was asked for
        self._back_to: MatchState | None = None  # where a rewind under way leads
        self._rewind_begun = False  # the stage was told
        self._history = History(every=1 if self.spec.turn_based else max(1, round(self.spec.fps)), most=HISTORY)

    @property
    def rewinding(self) -> bool:
        """True while the game is played again up to the moment that was asked for."""
        return self._back_to is not None

    def set_speed(self, speed: float, now: float) -> None:
        """Play at `speed` times the game's own rate from `now` on."""
        self._pacer = Pacer(self.spec.fps * speed)
        self._pacer.start(now)
        self._meter.clear()
        self._turned = True
        self.settings.setdefault("speeds", []).append([self.tick.index if self.tick else 0, speed])

    def step_once(self) -> None:
        """Take one tick of a paused match as soon as everybody needed has answered; held controls count."""
        if self.paused and not self.over and not self.rewinding:
            self._single = self._turned = True

    def rewind(self, index: int) -> bool:
        """Begin to go back to the newest moment kept at tick `index` or before; `rewinding` until it stands.

        False where there is none, or the match is over.  Everybody's memory of the episode starts anew there.
        """
        standing = self._history.before(max(0, index))
        if self.over or self.rewinding or self.tick is None or standing is None or standing.index >= self.tick.index:
            return False
        self._back_to, self._single = standing, False
        if not self._busy:
            self._guarded(self._begin_rewind)
        return True

    def advance(self, now: float) -> None:
        super().advance(now)
        if self.paused and not self.over:
            self._guarded(lambda: self._advance_paused(now))

    def _advance_paused(self, now: float) -> None:
        """Take what the stage still owes, and the one tick that was asked for."""
        if self._busy:
            self._listen(now)
        elif self._single and self._collect(now):
            self._single = False
            self.stage.step(self._actions)
            self._busy = True

    def _receive(self, tick: Tick, now: float) -> None:
        if self._back_to is None:
            super()._receive(tick, now)
        elif self._rewind_begun:
            self._stand(tick, self._back_to, now)
        else:  # the tick that was on its way when somebody asked
            self._begin_rewind()

    def _counted(self, tick: Tick) -> None:
        if self._history.is_due(tick.index):
            self._history.keep(MatchState(tick.index, tick_digest(tick), self._tally.copy()))

    def _begin_rewind(self) -> None:
        assert self._back_to is not None
        self.stage.rewind(self._back_to.index)
        self._busy = self._rewind_begun = True

    def _stand(self, tick: Tick, standing: MatchState, now: float) -> None:
        """The stage is back: so are scores and seats, and everybody is asked anew."""
        assert self.tick is not None
        assert self._pacer is not None
        self._rewinds.append((self.tick.index, standing.index))
        self._turned, self._busy, self._rewind_begun, self._back_to = True, False, False, None
        if not same(standing, tick):
            self.settings["rewound_to_another_state"] = True
        self._history.forget_after(standing.index)
        self._tally, self._actions = standing.tally.copy(), {}
        for agent, seed in zip(self.stage.agents, self._seat_seeds(len(self._rewinds)), strict=True):
            self.mapping[agent].reset(self.stage.seat(agent), seed=seed)
            self.understudies.reset(self.stage.seat(agent), seed=seed)
        self._show(tick)
        if self._recorder:
            self._recorder.rewound(standing.index)
        for change in self._seats.rewound(standing.index):
            self._tell_change(change)
        self._meter.clear()
        self._pacer.start(now)
        self._asked_at = now
        self._ask(tick)
