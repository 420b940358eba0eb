"""Games of a spec that names a batch engine: all of them advance in one numpy step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec, load_entry
from trainer.games.batch import GameBatch


class EngineGames(GameBatch):
    """Every seat acts at every tick; an episode ends for all seats at once, and all seats have the same spaces.

    The engine is called as ``engine(games, **spec.kwargs)`` and has ``observation_space``, ``action_space``,
    ``reset_games(games, seeds)`` and ``step(actions)`` as those of ``arcade.games.house.volley_batch``.
    """

    def __init__(self, spec: GameSpec, games: int) -> None:
        self.spec, self.games, self.agents = spec, games, spec.agents
        self._engine = load_entry(spec.batch)(games, **spec.kwargs)
        self._allocate(dict.fromkeys(self.agents, (self._engine.observation_space, self._engine.action_space)))

    def reset(self, games: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if not len(games):
            return
        self.groups[0].observations[games] = self._engine.reset_games(games, seeds)
        self.acting[games] = True
        for array in (self.rewards, self.terminated, self.truncated):
            array[games] = 0

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        observations, rewards, terminated, truncated = self._engine.step(actions[0])
        self.groups[0].observations, self.rewards = observations, rewards
        self.terminated = np.broadcast_to(terminated[:, None], rewards.shape).copy()
        self.truncated = np.broadcast_to((truncated & ~terminated)[:, None], rewards.shape).copy()
        self.acting = np.broadcast_to(~(terminated | truncated)[:, None], rewards.shape).copy()
