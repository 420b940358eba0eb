"""RollbackMatch: an online match that shows the present at once, and corrects it as inputs come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from agents.seats.controller import Action, AgentID
from agents.spaces import idle_action, is_legal
from arcade.match.play.clock import MAX_CATCH_UP
from arcade.match.play.seats import turn_of
from arcade.match.stage.episode_states import copied
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick
from arcade.together.online_match import BEHIND, OnlineMatch
from arcade.together.rollback import MAX_AHEAD, Moves, Rollback

MAX_UNSEALED = 30
"""Ticks between the present and the newest sealed one, whose inputs may be known before."""

TRIES = 12

AFFORDABLE = 0.5
"""Share of a tick's period that going back and playing `MAX_AHEAD` ticks may take."""


class StageGame:
    """A stage for Rollback."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def step(self, moves: Moves, *, shown: bool = False) -> Tick:
        self._stage.draws = shown
        self._stage.step(moves)
        return copied(self._stage.wait())

    def save(self) -> Any:
        return self._stage.save(whole=False)

    def load(self, state: Any, moves: Moves, *, shown: bool = False) -> Tick:
        self._stage.load(state, [moves], shown=shown)
        return copied(self._stage.wait())


class RollbackMatch(OnlineMatch):
    """Its ticks are the sealed ones, which are recorded and counted; `present` is the tick that people see."""

    def __init__(self, *arguments: Any, foreknown: Callable[[int], Moves] = lambda tick: {}, **options: Any) -> None:
        """`foreknown` has the inputs of a tick that are known before it is sealed."""
        super().__init__(*arguments, **options)
        self.rollback: Rollback[Tick] = Rollback(StageGame(self.stage))
        self._foreknown, self._has_news = foreknown, False
        for seat in self._online.values():
            seat.foresees = True

    @property
    def present(self) -> Tick | None:
        return self.rollback.newest or self.tick

    @property
    def is_waiting(self) -> bool:
        """Whether inputs are missing: for the next tick, or to seal the last one."""
        is_at_end = self.present is not None and self.present.over
        return (self._waiting or is_at_end) and not self.over

    @property
    def present_index(self) -> int:
        return self.present.index if self.present is not None else 0

    def _advance(self, now: float, timeout: float = 0.0) -> None:
        if self.tick is None:
            self._listen(now, timeout)
            self.stepping = False
        if self.tick is None or self.over:
            return
        self._confirm(now)
        for _ in range(MAX_CATCH_UP):
            if self.over or not self._foresee_if_due(now):
                return

    def _confirm(self, now: float) -> None:
        """Play what is sealed, and then the present again where it came out otherwise."""
        end = self._pending_end
        for _ in range(64):
            tick = self.tick
            assert tick is not None
            if end is not None and tick.index >= min(end.tick, len(self._log)):
                return self._end(end)
            if self.over or len(self._log) <= tick.index or not self.seats.collect(tick, wait=True):
                break
            self._receive(self.rollback.confirm(dict(self.seats.actions)), now)
        if not self.over:
            if self._has_news:
                self._has_news = False
                self.rollback.revise(self._revised)
            self.rollback.replay(self._predict)
            self._show_present()
        return None

    def _show(self, tick: Tick) -> None:
        self.tick = tick  # the picture is that of the present

    def _show_present(self) -> None:
        present = self.present
        if present is not None and present.frame is not None:
            self.frame = present.frame

    def learn(self) -> None:
        """Note that more inputs are known than before, though not sealed."""
        self._has_news = True

    def _revised(self, tick: Tick | None, moves: Moves) -> Moves:
        """The inputs at a tick as they are known now; others as they were predicted."""
        tick = tick or self.tick
        assert tick is not None
        known = self._known(tick.index)
        return {agent: self._legal(tick, agent, known.get(agent, action)) for agent, action in moves.items()}

    def _receive(self, tick: Tick, now: float) -> None:
        restarts = tick.index == 0
        super()._receive(tick, now)
        if not len(self.rollback) and not self.over:
            self._ask_ahead(tick)
        if restarts:
            self.clock.restart(now)
            self._count_down()

    def _foresee_if_due(self, now: float) -> bool:
        tick = self.present
        assert tick is not None
        if self.behind > BEHIND + MAX_AHEAD or tick.over or not self.clock.is_due(now):
            return False
        self._decide(tick, now)
        if self._beyond_known(tick.index) >= MAX_AHEAD or len(self.rollback) >= MAX_UNSEALED:
            self.stalls += not self._waiting
            self._waiting = True
            return False
        moves = self._predict(tick)
        if moves is None:
            return False
        self.meter.shown(tick.index, now)
        self._ask_ahead(self.rollback.foresee(moves))
        self._show_present()
        (self.clock.restart if self._waiting else self.clock.advance)(now)
        self._waiting = False
        return True

    def _beyond_known(self, present: int) -> int:
        """Ticks from the first one on whose inputs are not all known, up to the present."""
        tick = max(self.index, len(self._log))
        while tick < present and len(self._known(tick)) == len(self._online):
            tick += 1
        return present - tick

    def _known(self, tick: int) -> Moves:
        """The inputs of a tick that are sealed or known before it is."""
        if tick < len(self._log):
            return self._log[tick]
        return {**self._foreknown(tick), **self._inputs.at(tick)}

    def _last_known(self, agent: AgentID, tick: int) -> Action | None:
        """The newest input of a seat before a tick."""
        sealed = len(self._log)
        for earlier in range(tick - 1, sealed - 1, -1):
            if agent in (known := self._known(earlier)):
                return known[agent]
        return self._log[sealed - 1].get(agent) if sealed else None

    def _predict(self, tick: Tick | None) -> Moves | None:
        """The inputs at a tick as far as they are known, and the last ones of the other seats."""
        tick = tick or self.tick
        assert tick is not None
        if tick.over:
            return None
        known, index = self._known(tick.index), tick.index
        return {
            agent: self._legal(tick, agent, known[agent] if agent in known else self._last_known(agent, index))
            for agent in tick.acting
        }

    def _legal(self, tick: Tick, agent: AgentID, action: Action | None) -> Action:
        space, mask = self.stage.spaces[agent][1], tick.action_masks.get(agent)
        return idle_action(space, mask) if action is None or not is_legal(action, space, mask) else action

    def _ask_ahead(self, tick: Tick) -> None:
        """Hand this machine's seats their turns of a tick that may still change."""
        for agent in tick.acting:
            seat = self._online[agent]
            if seat.own is not None:
                mask, reward = tick.action_masks.get(agent), float(tick.rewards.get(agent, 0.0))
                seat.foresee(turn_of(agent, seat.own, tick, mask, reward))


def is_affordable(stage: Stage, seed: int, rate: float, *, clock: Callable[[], float] = time.perf_counter) -> bool:
    """Whether going back `MAX_AHEAD` ticks takes little of a tick's period, tried at the start of an episode.

    The lower quartile of the tries counts: the first ones are slow, and so is a machine that is busy now.
    """
    if not rate or not stage.saves or stage.spec.turn_based:
        return False
    game = StageGame(stage)
    stage.reset(seed)
    first = stage.wait()
    state, took = game.save(), []
    for _ in range(TRIES):
        began = clock()
        tick = game.load(state, _idle(stage, first))
        for _ in range(MAX_AHEAD - 1):
            if not tick.over:
                game.save()
                tick = game.step(_idle(stage, tick))
        took.append(clock() - began)
    return sorted(took)[TRIES // 4] <= AFFORDABLE / rate


def _idle(stage: Stage, tick: Tick) -> Moves:
    return {agent: idle_action(stage.spaces[agent][1], tick.action_masks.get(agent)) for agent in tick.acting}
