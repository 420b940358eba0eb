"""RollbackMatch: an online match that shows the present at once, and corrects it as inputs come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from agents.seats.controller import Action, AgentID, Turn
from agents.spaces import idle_action, is_legal
from arcade.match.play.clock import MAX_CATCH_UP
from arcade.match.stage.episode_states import copied
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick
from arcade.together.online_match import BEHIND, OnlineMatch
from arcade.together.rollback import MAX_AHEAD, Moves, Rollback

AFFORDABLE = 0.5
"""Share of a tick's period that going back and playing `MAX_AHEAD` ticks may take."""


class StageGame:
    """A stage for Rollback."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def step(self, moves: Moves) -> Tick:
        self._stage.step(moves)
        return copied(self._stage.wait())

    def save(self) -> Any:
        return self._stage.save(whole=False)

    def load(self, state: Any, moves: Moves) -> Tick:
        self._stage.load(state, [moves])
        return copied(self._stage.wait())


class RollbackMatch(OnlineMatch):
    """Its ticks are the sealed ones, which are recorded and counted; `present` is the tick that people see."""

    def __init__(self, *arguments: Any, foreknown: Callable[[int], Moves] = lambda tick: {}, **options: Any) -> None:
        """`foreknown` has the inputs of a tick that are known before it is sealed."""
        super().__init__(*arguments, **options)
        self.rollback: Rollback[Tick] = Rollback(StageGame(self.stage))
        self._foreknown = foreknown
        for seat in self._online.values():
            seat.foresees = True

    @property
    def present(self) -> Tick | None:
        return self.rollback.newest or self.tick

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
            self.rollback.replay(self._predict)
        return None

    def _receive(self, tick: Tick, now: float) -> None:
        restarts = tick.index == 0
        super()._receive(tick, now)
        if not len(self.rollback) and not self.over:
            self._ask_ahead(tick)
        if restarts:
            self.clock.restart(now)

    def _foresee_if_due(self, now: float) -> bool:
        tick = self.present
        assert tick is not None
        if self.behind > BEHIND + MAX_AHEAD or tick.over or not self.clock.is_due(now):
            return False
        self._decide(tick, now)
        if len(self.rollback) >= MAX_AHEAD or not self._has_own(tick.index):
            self.stalls += not self._waiting
            self._waiting = True
            return False
        moves = self._predict(tick)
        if moves is None:
            return False
        self.meter.shown(tick.index, now)
        self._ask_ahead(self.rollback.foresee(moves))
        (self.clock.restart if self._waiting else self.clock.advance)(now)
        self._waiting = False
        return True

    def _has_own(self, tick: int) -> bool:
        return not self._inputs.agents or tick < self._inputs.next

    def _predict(self, tick: Tick | None) -> Moves | None:
        """The inputs at a tick as far as they are known, and the last ones of the other seats."""
        tick = tick or self.tick
        assert tick is not None
        if tick.over:
            return None
        log = self._log
        known = log[tick.index] if tick.index < len(log) else {**self._foreknown(tick.index),
                                                              **self._inputs.at(tick.index)}  # fmt: skip
        last = log[len(log) - 1] if len(log) else {}
        return {agent: self._legal(tick, agent, known.get(agent, last.get(agent))) for agent in tick.acting}

    def _legal(self, tick: Tick, agent: AgentID, action: Action | None) -> Action:
        space, mask = self.stage.spaces[agent][1], tick.action_masks.get(agent)
        return idle_action(space, mask) if action is None or not is_legal(action, space, mask) else action

    def _ask_ahead(self, tick: Tick) -> None:
        """Hand this machine's seats their turns of a tick that may still change."""
        for agent in tick.acting:
            seat = self._online[agent]
            if seat.own is not None:
                seen = tick.seen(agent, seat.obs_type)
                reward = float(tick.rewards.get(agent, 0.0))
                seat.foresee(Turn(agent, tick.index, seen, tick.action_masks.get(agent), reward))


def is_affordable(stage: Stage, seed: int, rate: float, *, clock: Callable[[], float] = time.perf_counter) -> bool:
    """Whether going back `MAX_AHEAD` ticks takes little of a tick's period, tried at the start of an episode."""
    if not rate or not stage.saves or stage.spec.turn_based:
        return False
    game = StageGame(stage)
    stage.reset(seed)
    tick = stage.wait()
    took = []
    for _ in range(5):
        if tick.over:
            return False
        moves = {agent: idle_action(stage.spaces[agent][1], tick.action_masks.get(agent)) for agent in tick.acting}
        state = game.save()
        began = clock()
        tick = game.load(state, moves)
        for _ in range(MAX_AHEAD - 1):
            if tick.over:
                return False
            game.save()
            tick = game.step(
                {agent: idle_action(stage.spaces[agent][1], tick.action_masks.get(agent)) for agent in tick.acting}
            )
        took.append(clock() - began)
    return sorted(took)[len(took) // 2] <= AFFORDABLE / rate
