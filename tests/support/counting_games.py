"""Games of a few lines, well-behaved and not, for stages in this process and in a child."""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import ParallelEnv
from pettingzoo.utils import parallel_to_aec

from arcade.games.spec import GameSpec

LENGTH = 40
AGENTS = ("ann", "bob")


class CountingEnv(ParallelEnv):
    """Two agents, `LENGTH` ticks; each sees the tick and its own last action, and is paid its action."""

    metadata: ClassVar = {"name": "counting_v0", "render_modes": ["rgb_array"], "is_parallelizable": True}

    def __init__(self, *, render_mode: str | None = None, trouble: str = "", at: int = 3) -> None:
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._trouble, self._at = trouble, at
        self._tick = 0
        self._noise = np.random.default_rng(0)

    def observation_space(self, agent: str) -> Any:
        return Box(-1e6, 1e6, (3,), np.float32)

    def action_space(self, agent: str) -> Any:
        return Discrete(4)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.agents, self._tick = list(AGENTS), 0
        self._noise = np.random.default_rng(seed)
        return self._see(dict.fromkeys(AGENTS, 0)), {agent: {} for agent in AGENTS}

    def step(self, actions: dict[str, int]) -> Any:
        self._tick += 1
        if self._tick == self._at:
            self._be_trouble()
        over = self._tick >= LENGTH
        live, self.agents = self.agents, [] if over else self.agents
        ends = dict.fromkeys(live, over)
        rewards = {agent: float(actions[agent]) for agent in live}
        return self._see(actions), rewards, ends, dict.fromkeys(live, False), {agent: {} for agent in live}

    def render(self) -> Any:
        return np.full((8, 12, 3), self._tick, np.uint8)

    def close(self) -> None:
        if self._trouble == "close":
            raise RuntimeError("the lid is stuck")

    def _see(self, actions: dict[str, int]) -> Any:
        noise = self._noise.random()
        return {agent: np.array([self._tick, actions[agent], noise], np.float32) for agent in AGENTS}

    def _be_trouble(self) -> None:
        match self._trouble:
            case "raise":
                raise RuntimeError("the ball is lost")
            case "hang":
                threading.Event().wait()
            case "spin":
                while True:
                    pass
            case "exit":
                os._exit(3)
            case "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "torn":  # ends in the middle of an answer
                os.write(int(sys.argv[1]), struct.pack("!i", 100) + b"half")
                os._exit(3)
            case "hang up":
                os.close(int(sys.argv[1]))
                threading.Event().wait()


class MaskedEnv(CountingEnv):
    """Its actions are 1 to 4, all legal, and it says so."""

    def action_space(self, agent: str) -> Any:
        return Discrete(4, start=1)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        observations, _ = super().reset(seed, options)
        return observations, self._masks()

    def step(self, actions: dict[str, int]) -> Any:
        return (*super().step(actions)[:4], self._masks())

    def _masks(self) -> dict[str, Any]:
        return {agent: {"action_mask": np.ones(4, np.int8)} for agent in AGENTS}


def counting_env(**kwargs: Any) -> CountingEnv:
    return CountingEnv(**kwargs)


def masked_env(**kwargs: Any) -> MaskedEnv:
    return MaskedEnv(**kwargs)


def counting_aec(**kwargs: Any) -> Any:
    return parallel_to_aec(CountingEnv(**kwargs))


def counting_spec(*, turn_based: bool = False, **kwargs: Any) -> GameSpec:
    return GameSpec(
        id="test/counting",
        title="Counting",
        entry="tests.support.counting_games:counting_env",
        agents=AGENTS,
        teams=(("ann",), ("bob",)),
        turn_based=turn_based,
        fps=50,
        kwargs=kwargs,
    )
