"""AdjustableMatch: a match that people can slow down, speed up, step tick by tick and rewind.

Each of these makes the match unrated and is noted in its result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import is_
from typing import Any

from agents.seats.controller import Action, AgentID
from arcade.match.play.match import Match
from arcade.match.play.seats import SeatTotals
from arcade.match.stage.state import StageState
from arcade.match.stage.tick import Tick, tick_digest
from arcade.match.states.errors import StateError

HISTORY = 120
"""States of a match that it can be rewound to: one a second in a real-time game, one a move in a turn-based one."""

STATES_BUDGET = 64 << 20
"""Bytes of what the stage saves for them; older ones are reached by playing the match again."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match when tick `index` had been counted and no seat asked."""

    index: int
    digest: int  # of the tick, to check that a replayed game reached the same state
    totals: SeatTotals
    clocks: tuple[float, ...] = ()  # seconds left of each side, where the sides have clocks
    saved: StageState | None = None  # None: the game is played again up to there


@dataclass(frozen=True, slots=True)
class Moment:
    """A tick of a match that people saved, and the moves that lead there."""

    state: MatchState
    moves: tuple[Mapping[AgentID, Action], ...]


class AdjustableMatch(Match):
    """Needs a rate."""

    def __init__(self, *arguments: Any, rate: float, **options: Any) -> None:
        super().__init__(*arguments, rate=rate, **options)
        self._is_ahead = False  # the stage is, of the ticks that the match receives
        self._single = False  # paused, and one tick is to be played
        self._back_to: MatchState | None = None  # the target of a rewind under way
        self._rewind_begun = False  # the stage is rewinding
        self._every = 1 if self.spec.turn_based else max(1, round(self.spec.fps))  # ticks from state to state
        self._states: deque[MatchState] = deque(maxlen=HISTORY)
        self._first: MatchState | None = None  # at the reset
        self._moves: list[dict[AgentID, Action]] = []  # of tick 1, 2, …
        self._totals = self.seats.totals.copy()  # before any seat was asked at the present tick

    @property
    def rewinding(self) -> bool:
        """True while the game is played again up to the tick that was asked for."""
        return self._back_to is not None

    @property
    def moves(self) -> Sequence[Mapping[AgentID, Action]]:
        return self._moves

    def set_speed(self, speed: float, now: float) -> None:
        """Play at `speed` times the game's own rate from `now` on."""
        self.clock.set_rate(self.spec.fps * speed, now)
        self.rated = False
        self.settings.setdefault("speeds", []).append([self.tick.index if self.tick else 0, speed])

    def step_once(self) -> None:
        """Take one tick of a paused match as soon as every seat needed has answered; held controls count."""
        if self.paused and not self.over and not self.rewinding:
            self._single, self.rated = True, False

    def rewind(self, index: int) -> bool:
        """Begin to go back to the newest state kept at tick `index` or before; `rewinding` until it is reached.

        False where there is none, or the match is over.  Every controller begins a new episode there.
        """
        state = self._state_at(index)
        if self.over or self.rewinding or self.tick is None or state is None or state.index >= self.tick.index:
            return False
        self._go_back(state)
        return True

    def save_moment(self) -> Moment | None:
        """Save the present tick; None before the first one, while the stage is at work, and once the match is over."""
        if self.over or self.stepping or self.rewinding or self.tick is None:
            return None
        state = MatchState(self.tick.index, tick_digest(self.tick), self._totals, self._time_left, self._save())
        return Moment(state, tuple(self._moves))

    def can_load(self, moment: Moment) -> bool:
        """Whether the match has passed that moment: a file has those that it has not."""
        passed = len(moment.moves) <= len(self._moves) and all(map(is_, moment.moves, self._moves))
        return passed and not self.over and not self.rewinding and self.tick is not None

    def load_moment(self, moment: Moment) -> bool:
        """Begin to go back to a moment of this match, as `rewind` does; False where it `can_load` nothing."""
        if not self.can_load(moment):
            return False
        self._go_back(moment.state)
        return True

    def _go_back(self, state: MatchState) -> None:
        self._back_to, self._single = state, False
        if not self.stepping:
            self._guarded(lambda: self._begin_rewind(state))

    def _state_at(self, index: int) -> MatchState | None:
        """The newest state up to tick `index`; where all are later the oldest, or the reset's for tick 0."""
        fitting = [state for state in self._states if state.index <= index]
        if fitting:
            return fitting[-1]
        return self._states[0] if self._states and index > 0 else self._first

    def advance(self, now: float) -> None:
        super().advance(now)
        if self.paused and not self.over:
            self._guarded(lambda: self._advance_paused(now))

    def _advance_paused(self, now: float) -> None:
        """Take the tick under way from the stage, and play the one tick that was asked for."""
        if self.stepping:
            self._listen(now)
        elif self._single and self._step(now):
            self._single = False

    def _receive(self, tick: Tick, now: float) -> None:
        if self._back_to is None:
            super()._receive(tick, now)
        elif self._rewind_begun:
            self._end_rewind(tick, self._back_to, now)
        else:  # the tick that was on its way when the rewind was asked for
            self._begin_rewind(self._back_to)

    def _counted(self, tick: Tick, played: dict[AgentID, Action]) -> None:
        if tick.index:
            self._moves.append(played)
        self._totals = self.seats.totals.copy()
        if tick.index % self._every == 0:
            state = MatchState(tick.index, tick_digest(tick), self._totals, self._time_left, self._save())
            self._states.append(state)
            self._first = self._first or self._states[0]
            if self.stage.states_size > STATES_BUDGET:
                self._forget_oldest()

    def _save(self) -> StageState | None:
        """The state of the stage; None where that is not known to be exact."""
        if self._is_ahead or not self.stage.saves:
            return None
        with suppress(StateError):
            return self.stage.save()
        return None

    def _forget_oldest(self) -> None:
        """Of what the stage saved, but for the reset."""
        saved = [at for at, state in enumerate(self._states) if state.saved is not None and state is not self._first]
        if saved:
            self._states[saved[0]] = replace(self._states[saved[0]], saved=None)

    @property
    def _time_left(self) -> tuple[float, ...]:
        return tuple(self.side_clocks.left) if self.side_clocks is not None else ()

    def _begin_rewind(self, state: MatchState) -> None:
        del self._moves[state.index :]
        if not self._load(state):
            self._forget_saved()
            self.stage.replay(self._moves, anew=True)
        self.stepping = self._rewind_begun = True

    def _load(self, state: MatchState) -> bool:
        """Whether the stage has that state; it has none of before its episode began anew."""
        if state.saved is None or not self.stage.saves:
            return False
        try:
            self.stage.load(state.saved)
        except StateError:
            return False
        return True

    def _forget_saved(self) -> None:
        """The episode of the stage begins anew, which ends what it has saved."""
        self._states = deque((replace(state, saved=None) for state in self._states), self._states.maxlen)
        self._first = replace(self._first, saved=None) if self._first else None

    def _end_rewind(self, tick: Tick, state: MatchState, now: float) -> None:
        """The stage is back at `state`: restore scores and seats, and ask every seat anew."""
        assert self.tick is not None
        self.rewinds.append((self.tick.index, state.index))
        self.rated = self.stepping = self._rewind_begun = False
        self._back_to = None
        if (state.index, state.digest) != (tick.index, tick_digest(tick)):
            self.settings["rewound_to_another_state"] = True
        while self._states and self._states[-1].index > state.index:
            self._states.pop()
        self._totals = state.totals
        self.seats.rewind(self.seed, state.totals, again=len(self.rewinds))
        if self.side_clocks is not None:
            self.side_clocks.restore(state.clocks)
        self._show(tick)
        for recorder in self._recorders:
            recorder.rewound(tick, self.clock.elapsed)
        self.seats.move_changes(state.index)
        self.clock.jump(now)
        self._ask(tick, now)
