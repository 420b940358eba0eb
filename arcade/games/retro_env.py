"""RetroEnv: a console game of Stable-Retro for two as a PettingZoo env."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from arcade.games.retro import AGENTS, LIBRARY, WAYS, buttons_of


class RetroEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types here
    """Both seats see the picture, uint8 (height, width, 3).

    An action is a direction with no button or one.  Rewards are those that Stable-Retro's scenario gives each player;
    an episode ends where the scenario says so.
    """

    def __init__(self, name: str, *, render_mode: str | None = None) -> None:
        retro = LIBRARY.load()
        self.metadata = {"name": name, "render_modes": ["rgb_array"], "render_fps": 60, "is_parallelizable": True}
        self.render_mode = render_mode
        self.possible_agents: list[str] = list(AGENTS)
        self.agents: list[str] = []
        self._game = retro.make(
            name, players=len(AGENTS), inttype=retro.data.Integrations.ALL, render_mode="rgb_array",
            use_restricted_actions=retro.Actions.ALL,
        )  # fmt: skip
        self._game.multi_rewards = True  # which its constructor has no argument for
        self._buttons = list(self._game.buttons)
        presses = product(WAYS, ("", *buttons_of(self._buttons)))
        self._presses = [self._pressed(way, button) for way, button in presses]
        seen = self._game.observation_space
        self._seen = spaces.Box(seen.low, seen.high, seen.shape, np.uint8)
        self._action: Any = spaces.Discrete(len(self._presses))
        self._picture: NDArray[np.uint8] | None = None

    def _pressed(self, way: str, button: str) -> NDArray[np.int8]:
        down = {*way.upper().split(), button} - {""}
        return np.array([name in down for name in self._buttons], np.int8)

    def observation_space(self, agent: str) -> Any:
        return self._seen

    def action_space(self, agent: str) -> Any:
        return self._action

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._picture, info = self._game.reset(seed=seed)
        self.agents = list(AGENTS)
        return self._all(self._picture), self._all(info)

    def step(self, actions: dict[str, Any]) -> Any:
        pressed = np.concatenate([self._presses[int(actions[agent])] for agent in AGENTS])
        self._picture, rewards, is_over, is_late, info = self._game.step(pressed)
        paid = np.broadcast_to(np.asarray(rewards, np.float64), (len(AGENTS),)).tolist()
        found = (
            self._all(self._picture), dict(zip(AGENTS, paid, strict=True)), self._all(bool(is_over)),
            self._all(bool(is_late)), self._all(info),
        )  # fmt: skip
        if is_over or is_late:
            self.agents = []
        return found

    def _all(self, value: Any) -> dict[str, Any]:
        return dict.fromkeys(AGENTS, value)

    def render(self) -> NDArray[np.uint8] | None:
        return self._picture

    def close(self) -> None:
        self._game.close()


def parallel_env(name: str, render_mode: str | None = None) -> RetroEnv:
    """Make the env of a game by Stable-Retro's name for it."""
    return RetroEnv(name, render_mode=render_mode)
