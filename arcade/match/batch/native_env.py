"""A game with a vectorised engine of its own: all envs advance in one numpy step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.spec import GameSpec, load_entry
from arcade.match.batch.vector_env import VectorEnv


class NativeVectorEnv(VectorEnv):
    """All seats have the same spaces, and an episode ends for all of them at once.

    The engine is called as ``engine(num_envs, **spec.kwargs)`` and has ``observation_space``, ``action_space``,
    ``reset_games(envs, seeds)`` and ``step(actions)`` like ``arcade.games.house.volley_batch``.  A
    turn-based one also has ``acting`` and ``masks``, like ``arcade.games.connect_four_batch``; without them every seat
    acts at every tick, and every action is legal.
    """

    def __init__(self, spec: GameSpec, num_envs: int) -> None:
        self.spec, self.num_envs, self.agents = spec, num_envs, spec.agents
        self._engine = load_entry(spec.batch)(num_envs, **spec.kwargs)
        self._allocate(dict.fromkeys(self.agents, (self._engine.observation_space, self._engine.action_space)))
        self.groups[0].masks = getattr(self._engine, "masks", None)
        self._has_acting = hasattr(self._engine, "acting")

    def reset(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if not len(envs):
            return
        self.groups[0].observations[envs] = self._engine.reset_games(envs, seeds)
        self.acting[envs] = self._engine.acting[envs] if self._has_acting else True
        for array in (self.rewards, self.terminated, self.truncated):
            array[envs] = 0

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        observations, rewards, terminated, truncated = self._engine.step(actions[0])
        self.groups[0].observations, self.rewards = observations, rewards
        self.terminated = np.broadcast_to(terminated[:, None], rewards.shape).copy()
        self.truncated = np.broadcast_to((truncated & ~terminated)[:, None], rewards.shape).copy()
        if self._has_acting:
            self.acting = self._engine.acting.copy()
        else:
            self.acting = np.broadcast_to(~(terminated | truncated)[:, None], rewards.shape).copy()
