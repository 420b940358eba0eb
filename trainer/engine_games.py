"""Games of a spec that names a batch engine: all of them advance in one numpy step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec, load_entry
from trainer.games_batch import GameBatch


class EngineGames(GameBatch):
    """Every seat acts at every tick; an episode ends for all seats at once."""

    masks = None

    def __init__(self, spec: GameSpec, games: int) -> None:
        self.spec, self.games, self.agents = spec, games, spec.agents
        env = spec.make()
        self.spaces = {a: (env.observation_space(a), env.action_space(a)) for a in self.agents}
        env.close()
        self._engine = load_entry(spec.batch)(games, **spec.kwargs)
        self._allocate()

    def reset(self, games: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if not len(games):
            return
        if len(games) == self.games:
            self.observations = self._engine.reset(seeds)
        else:
            self.observations = self._engine.reset_games(games, seeds)
        self.acting[games] = True
        for array in (self.rewards, self.terminated, self.truncated):
            array[games] = 0

    def step(self, actions: NDArray[Any]) -> None:
        observations, rewards, terminated, truncated = self._engine.step(actions)
        self.observations, self.rewards = observations, rewards
        self.terminated = np.broadcast_to(terminated[:, None], rewards.shape).copy()
        self.truncated = np.broadcast_to((truncated & ~terminated)[:, None], rewards.shape).copy()
        self.acting = np.broadcast_to(~(terminated | truncated)[:, None], rewards.shape).copy()
