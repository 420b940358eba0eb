"""A game of three players in a few lines, each for itself or all as one team."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from pettingzoo import ParallelEnv

from arcade.games.spec import GameSpec
from tests.support.tiny_policies import ACTIONS, OBSERVATIONS

SEATS = ("a", "b", "c")


class CrowdEnv(ParallelEnv):
    """Five ticks; everybody is paid its action."""

    metadata: ClassVar = {"name": "crowd_v0", "render_modes": [], "is_parallelizable": True}

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self.possible_agents = list(SEATS)
        self.agents: list[str] = []
        self._tick = 0

    def observation_space(self, agent: str) -> Any:
        return OBSERVATIONS

    def action_space(self, agent: str) -> Any:
        return ACTIONS

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.agents, self._tick = list(SEATS), 0
        self._rng = np.random.default_rng(seed)
        return self._see(), {agent: {} for agent in SEATS}

    def step(self, actions: dict[str, int]) -> Any:
        self._tick += 1
        live, over = self.agents, self._tick == 5
        self.agents = [] if over else live
        rewards = {agent: float(actions[agent]) for agent in live}
        flags = dict.fromkeys(live, False)
        return self._see(), rewards, dict.fromkeys(live, over), flags, {agent: {} for agent in live}

    def _see(self) -> Any:
        return {agent: self._rng.uniform(-1, 1, 4).astype(np.float32) for agent in SEATS}


def crowd(**kwargs: Any) -> CrowdEnv:
    return CrowdEnv(**kwargs)


def crowd_spec(*, teams: int) -> GameSpec:
    return GameSpec(
        id="test/crowd", title="Crowd", entry="tests.support.crowd_game:crowd", agents=SEATS,
        teams=(SEATS,) if teams == 1 else tuple((seat,) for seat in SEATS), turn_based=False, fps=50,
        outcome="cooperative" if teams == 1 else "versus",
    )  # fmt: skip
