"""Games small enough to be learnt in seconds, as PettingZoo envs, and how well a policy learns them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from arcade.games.spec import GameSpec
from trainer.algorithms.make import make_algorithm
from trainer.config.reading import make_config


class OneSeatEnv(ParallelEnv):
    """Asks one seat for one of two actions; `right` is paid with 1, the other with -1, at the end."""

    metadata = {"name": "small", "render_fps": 10}  # noqa: RUF012
    possible_agents = ["only"]  # noqa: RUF012
    seen_space: Any
    ticks = 1

    def observation_space(self, agent: str) -> Any:
        return self.seen_space

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(2)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.agents = list(self.possible_agents)
        self.rng = np.random.default_rng(seed)
        self.right, self.tick = int(self.rng.integers(2)), 0
        return {"only": self.see()}, {"only": {}}

    def step(self, actions: Any) -> Any:
        self.tick += 1
        over = self.tick >= self.ticks
        pay = 1.0 if int(actions["only"]) == self.right else -1.0
        self.agents = [] if over else self.agents
        return {"only": self.see()}, {"only": pay * over}, {"only": over}, {"only": False}, {"only": {}}

    def see(self) -> Any:
        raise NotImplementedError

    def close(self) -> None:
        pass


class EchoEnv(OneSeatEnv):
    """What is right is shown at the first of four ticks only, and asked for at the last."""

    seen_space = spaces.Box(-1, 1, (2,), np.float32)
    ticks = 4

    def see(self) -> Any:
        return np.array([0 if self.tick else 2 * self.right - 1, self.tick / self.ticks], np.float32)


class SpotEnv(OneSeatEnv):
    """A bright spot somewhere in the left (0 is right) or the right half of a picture."""

    seen_space = spaces.Box(0, 255, (48, 64, 3), np.uint8)

    def see(self) -> Any:
        picture = np.zeros(self.seen_space.shape, np.uint8)
        row, column = self.rng.integers(40), self.rng.integers(24) + 32 * self.right
        picture[row : row + 8, column : column + 8, self.rng.integers(3)] = 255
        return picture


class FarEnv(OneSeatEnv):
    """What is right makes a small difference in numbers that are far from 0."""

    seen_space = spaces.Box(-np.inf, np.inf, (2,), np.float64)

    def see(self) -> Any:
        return np.array([500.0, -300.0]) + 0.1 * (2 * self.right - 1) + self.rng.normal(0, 0.02, 2)


def echo_env(**_: Any) -> EchoEnv:
    return EchoEnv()


def spot_env(**_: Any) -> SpotEnv:
    return SpotEnv()


def far_env(**_: Any) -> FarEnv:
    return FarEnv()


def small_spec(name: str) -> GameSpec:
    """The spec of `NAME_env`."""
    return GameSpec(
        id=f"test/{name}",
        title=name,
        entry=f"tests.support.training_games:{name}_env",
        agents=("only",),
        teams=(("only",),),
        turn_based=False,
        fps=10,
    )


def score(game: str, *, iterations: int, **settings: Any) -> float:
    """Of the newest episodes of a policy trained with PPO: 1 where all were right, about 0 for guessing."""
    run = make_config(
        {
            "game": f"test/{game}",
            "training": {"batch": 1024, "minibatch": 256, "lr": 5e-3, "epochs": 4, "gamma": 1.0},
            "resources": {"games": 64},
            **settings,
        }
    )
    algorithm = make_algorithm(run, small_spec(game))
    try:
        for _ in range(iterations):
            algorithm.train()
            scores = [episode.score for episode in algorithm.env_runner.pop_report().results]
        return float(np.mean(scores))
    finally:
        algorithm.stop()
