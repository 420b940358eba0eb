"""Games small enough to be learnt in seconds, as PettingZoo envs."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from arcade.games.spec import GameSpec

WAIT = 3
"""Ticks between what is shown and what is asked in `echo_env`."""


class EchoEnv(ParallelEnv):
    """A sign is shown at the first tick only, and is to be given back at the last: 1 for right, -1 for wrong."""

    metadata = {"name": "echo", "render_fps": 10}  # noqa: RUF012
    possible_agents = ["only"]  # noqa: RUF012

    def observation_space(self, agent: str) -> Any:
        return spaces.Box(-1, 1, (2,), np.float32)

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(2)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.agents = list(self.possible_agents)
        self._sign, self._tick = int(np.random.default_rng(seed).integers(2)), 0
        return {"only": np.array([2 * self._sign - 1, 0], np.float32)}, {"only": {}}

    def step(self, actions: Any) -> Any:
        self._tick += 1
        over = self._tick > WAIT
        right = 1.0 if int(actions["only"]) == self._sign else -1.0
        seen = np.array([0, self._tick / WAIT], np.float32)
        self.agents = [] if over else self.agents
        return {"only": seen}, {"only": right * over}, {"only": over}, {"only": False}, {"only": {}}

    def close(self) -> None:
        pass


def echo_env(**_: Any) -> EchoEnv:
    return EchoEnv()


def echo_spec() -> GameSpec:
    return GameSpec(
        id="test/echo",
        title="Echo",
        entry="tests.trainer.small_games:echo_env",
        agents=("only",),
        teams=(("only",),),
        turn_based=False,
        fps=10,
    )
