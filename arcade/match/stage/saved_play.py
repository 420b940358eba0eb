"""Proves that a game goes back to saved moments exactly: save, play on, load, play the same again, and compare."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
from isal.isal_zlib import crc32

from agents.policies.random import RandomController
from agents.seats.controller import Action, AgentID, Turn
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.tick import Tick, TickParts, first_unlike, tick_parts
from arcade.match.states.errors import StateError

AHEAD = 8
"""Ticks that are played from a saved moment, each time."""

EVERY = 40
"""Ticks from one saved moment to the next, on average."""


@dataclass
class SavedPlay:
    """The outcome of a proof."""

    clock: Callable[[], float]
    ticks: int = 0  # of random play
    moments: int = 0  # saved and loaded
    differs: str = ""  # the first difference, in words
    seconds: list[float] = field(default_factory=list)  # of one save and one load, for each moment

    @property
    def exact(self) -> bool:
        return self.moments > 0 and not self.differs


def prove(stage: Stage, *, ticks: int, seed: int = 1, clock: Callable[[], float] = time.perf_counter) -> SavedPlay:
    """Play `ticks` random ticks in as many episodes as they take, with moments to go back to, to the first difference.

    The stage must be ready; `clock` measures what states cost.
    """
    found, random = SavedPlay(clock=clock), Random(seed)
    player = _RandomPlay(stage, seed)
    tick, ahead = player.begin(), random.randrange(EVERY)  # ticks up to the next moment
    try:
        while found.ticks < ticks and not found.differs:
            if tick.over:
                tick = player.begin()
            elif ahead:
                ahead -= 1
                stage.draws = not ahead  # the others are not looked at
                tick = player.step(tick)
                found.ticks += 1
            else:
                stage.draws = True
                tick, ahead = _prove_moment(stage, tick, player, found), random.randrange(2 * EVERY)
    except (StateError, StageError) as error:
        found.differs = str(error)
    return found


class _RandomPlay:
    """Random legal actions of all seats."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self._stage, self._seed = stage, seed
        self._seats: dict[AgentID, RandomController] = {}
        self.played: dict[AgentID, Action] = {}  # at the newest step

    def begin(self) -> Tick:
        """The first tick of the next episode."""
        self._seats = {agent: RandomController() for agent in self._stage.agents}
        for agent, controller in self._seats.items():
            controller.reset(self._stage.seat(agent), seed=zlib.crc32(f"{self._seed} {agent}".encode()))
        self._stage.reset(self._seed)
        self._seed += 1
        return self._stage.wait()

    def step(self, tick: Tick) -> Tick:
        self.played = {agent: self._choose(tick, agent) for agent in tick.acting}
        self._stage.step(self.played)
        return self._stage.wait()

    def _choose(self, tick: Tick, agent: AgentID) -> Action:
        seat = self._seats[agent]
        seat.observe(Turn(agent, tick.index, tick.observations.get(agent), tick.action_masks.get(agent)))
        return seat.act()


def _prove_moment(stage: Stage, tick: Tick, player: _RandomPlay, found: SavedPlay) -> Tick:
    """Save here, play ahead, come back and compare, twice; returns the last tick."""
    here = _parts(tick)
    began = found.clock()
    state = stage.save()
    saved = found.clock()
    moves: list[Mapping[AgentID, Action]] = []
    parts: list[TickParts] = []
    while not tick.over and len(moves) < AHEAD:
        tick = player.step(tick)
        moves.append(player.played)
        parts.append(_parts(tick))
    for _ in range(2):
        asked = found.clock()
        stage.load(state)
        again = stage.wait()
        loaded = found.clock()
        found.differs = found.differs or _compare(again, here) or _compare_moves(stage, moves, parts)
    found.seconds.append(saved - began + loaded - asked)
    found.moments += 1
    found.ticks += len(moves)
    return tick


def _compare_moves(stage: Stage, moves: Sequence[Mapping[AgentID, Action]], parts: Sequence[TickParts]) -> str:
    for actions, was in zip(moves, parts, strict=True):
        stage.step(actions)
        if differs := _compare(stage.wait(), was):
            return differs
    return ""


def _compare(tick: Tick, was: TickParts) -> str:
    unlike = first_unlike(was, _parts(tick))
    return f"at tick {tick.index}: {unlike}" if unlike else ""


def _parts(tick: Tick) -> TickParts:
    """All parts of a tick, with all that people see of it."""
    parts = tick_parts(tick)
    parts["the score"], parts["the figures"] = repr(tick.score), repr(tick.figures)
    parts["the views"], parts["the text"] = crc32(repr(tick.views).encode()), tick.text
    if tick.frame is not None:
        parts["the picture"] = crc32(np.ascontiguousarray(tick.frame))
    return parts
