"""Games that break PettingZoo's contract, each in one way, at one tick."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from arcade.games.spec import GameSpec
from tests.support.counting_games import AGENTS, CountingEnv, MaskedEnv, counting_spec

Broken = Callable[[Any, Any], Any]
"""(the env, what its step returns) -> what it returns instead."""


def reward(value: Any) -> Broken:
    """Pay ann that."""
    return lambda env, step: (step[0], {**step[1], "ann": value}, *step[2:])


def observation(value: Any) -> Broken:
    """Show ann that."""
    return lambda env, step: ({**step[0], "ann": value}, *step[1:])


def mask(value: Any) -> Broken:
    """Allow ann that."""
    return lambda env, step: (*step[:4], {**step[4], "ann": {"action_mask": value}})


def agents(*ids: str) -> Broken:
    """Continue with these agents."""

    def change(env: Any, step: Any) -> Any:
        env.agents = list(ids)
        return step

    return change


def blind(env: Any, step: Any) -> Any:
    """Show ann nothing."""
    return ({"bob": step[0]["bob"]}, *step[1:])


def stop(error: BaseException) -> Broken:
    """Raise that."""

    def change(env: Any, step: Any) -> Any:
        raise error

    return change


def leave(env: Any, step: Any) -> Any:
    """As games do that end with their window."""
    sys.exit("window closed")


@dataclass(frozen=True)
class Breach:
    """What the game does, and the words that name it."""

    change: Broken
    words: str


BREACHES = {
    "vector reward": Breach(reward(np.array([1.0, 2.0])), "the reward of 'ann' as one number below 1e+12, got ndarray"),
    "text reward": Breach(reward("much"), "the reward of 'ann' as one number below 1e+12, got str 'much'"),
    "no reward": Breach(reward(None), "the reward of 'ann' as one number below 1e+12, got NoneType None"),
    "nan reward": Breach(reward(float("nan")), "the reward of 'ann' as one number below 1e+12, got float nan"),
    "infinite reward": Breach(reward(-np.inf), "the reward of 'ann' as one number below 1e+12, got float -inf"),
    "numpy nan": Breach(reward(np.float32("nan")), "the reward of 'ann' as one number below 1e+12, got float32"),
    "huge reward": Breach(reward(1e300), "the reward of 'ann' as one number below 1e+12, got float 1e+300"),
    "huge integer": Breach(reward(10**400), "the reward of 'ann' as one number below 1e+12, got int 1000"),
    "short mask": Breach(mask(np.ones(3, np.int8)), "the action mask of 'ann' as an array of 4, got ndarray"),
    "empty mask": Breach(mask(np.zeros(4, np.int8)), "a legal action in the action mask of 'ann', got only zeros"),
    "list as mask": Breach(mask([1, 1, 1, 1]), "the action mask of 'ann' as an array of 4, got list [1, 1, 1, 1]"),
    "id twice": Breach(agents("ann", "bob", "ann"), "each agent once in the agents to act, got 'ann' twice"),
    "unknown id": Breach(agents("ann", "eve"), "only agents of the game to act ('ann', 'bob'), got: 'eve'"),
    "other shape": Breach(
        observation(np.zeros(5, np.float32)), "the observation of 'ann' in its space, expected float"
    ),
    "other kind": Breach(observation(np.full(3, 1j)), "the observation of 'ann' in its space, expected float"),
    "objects": Breach(observation(np.array([None] * 3)), "the observation of 'ann' in its space, expected float"),
    "list as observation": Breach(observation([0.0] * 3), "the observation of 'ann' in its space, expected float"),
    "no observation": Breach(blind, "an observation of 'ann', which is to act, got none"),
    "exit": Breach(leave, "SystemExit: window closed"),
    "interrupt": Breach(stop(KeyboardInterrupt("by the game")), "KeyboardInterrupt: by the game"),
    "own base": Breach(stop(GeneratorExit("gone")), "GeneratorExit: gone"),
}


class _Breaking:
    """Breaks the contract at one tick."""

    breach: str
    at: int
    _tick: int

    def step(self, actions: dict[str, int]) -> Any:
        step = super().step(actions)  # type: ignore[misc]
        return BREACHES[self.breach].change(self, step) if self._tick == self.at else step


class BrokenEnv(_Breaking, CountingEnv):
    """A counting game that breaks it."""


class BrokenMaskedEnv(_Breaking, MaskedEnv):
    """The same with masks."""


def broken_env(breach: str, at: int, render_mode: str | None = None) -> Any:
    """The env that commits the breach at tick `at`."""
    env = (BrokenMaskedEnv if "mask" in breach else BrokenEnv)(render_mode=render_mode)
    env.breach, env.at = breach, at
    return env


def broken_spec(breach: str, at: int) -> GameSpec:
    """The game of `broken_env`."""
    spec = counting_spec(breach=breach, at=at)
    return GameSpec(**{**vars(spec), "entry": "tests.support.broken_games:broken_env"})


def twin_env(render_mode: str | None = None) -> Any:
    """A game that lists an agent twice."""
    env = CountingEnv(render_mode=render_mode)
    env.possible_agents = [*AGENTS, "ann"]
    return env


nan_env = partial(broken_env, "nan reward", 6)
exit_env = partial(broken_env, "exit", 2)


def paying_env(reward: str, render_mode: str | None = None) -> Any:
    """A game that pays ann what the Python expression says at each tick."""

    class PayingEnv(CountingEnv):
        def step(self, actions: dict[str, int]) -> Any:
            step = super().step(actions)
            return (step[0], {**step[1], "ann": eval(reward, {"np": np})}, *step[2:])  # noqa: S307

    return PayingEnv(render_mode=render_mode)
