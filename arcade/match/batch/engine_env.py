"""Games of a spec that names a batch engine: all of them advance in one numpy step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec, load_entry
from arcade.match.batch.vector_env import GameBatch


class EngineGames(GameBatch):
    """All seats have the same spaces, and an episode ends for all of them at once.

    The engine is called as ``engine(games, **spec.kwargs)`` and has ``observation_space``, ``action_space``,
    ``reset_games(games, seeds)`` and ``step(actions)`` as those of ``arcade.games.house.volley_batch``.  In a game
    of turns it also says who is ``acting`` and has ``masks``, as ``arcade.games.connect_four_batch``; without them
    every seat acts at every tick, and every action is legal.
    """

    def __init__(self, spec: GameSpec, games: int) -> None:
        self.spec, self.games, self.agents = spec, games, spec.agents
        self._engine = load_entry(spec.batch)(games, **spec.kwargs)
        self._allocate(dict.fromkeys(self.agents, (self._engine.observation_space, self._engine.action_space)))
        self.groups[0].masks = getattr(self._engine, "masks", None)
        self._says_who_acts = hasattr(self._engine, "acting")

    def reset(self, games: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if not len(games):
            return
        self.groups[0].observations[games] = self._engine.reset_games(games, seeds)
        self.acting[games] = self._engine.acting[games] if self._says_who_acts else True
        for array in (self.rewards, self.terminated, self.truncated):
            array[games] = 0

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        observations, rewards, terminated, truncated = self._engine.step(actions[0])
        self.groups[0].observations, self.rewards = observations, rewards
        self.terminated = np.broadcast_to(terminated[:, None], rewards.shape).copy()
        self.truncated = np.broadcast_to((truncated & ~terminated)[:, None], rewards.shape).copy()
        if self._says_who_acts:
            self.acting = self._engine.acting.copy()
        else:
            self.acting = np.broadcast_to(~(terminated | truncated)[:, None], rewards.shape).copy()
