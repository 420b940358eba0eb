"""A game for each kind of action space, which refuses whatever is no action of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from arcade.games.spec import GameSpec
from tests.support.counting_games import AGENTS, CountingEnv

SPACES: dict[str, Any] = {
    "box": spaces.Box(np.array([-1, 0, -np.inf], np.float32), np.array([1, 0.5, np.inf], np.float32)),
    "box of integers": spaces.Box(0, 9, (2, 2), np.int16),
    "multi_discrete": spaces.MultiDiscrete([2, 1, 3]),
    "multi_discrete of two axes": spaces.MultiDiscrete(np.array([[2, 1], [1, 3]])),
    "multi_binary": spaces.MultiBinary(4),
    "multi_binary of two axes": spaces.MultiBinary((2, 3)),
}


class KindEnv(CountingEnv):
    """Pays an agent the sum of its action."""

    def __init__(self, *, kind: str, render_mode: str | None = None) -> None:
        super().__init__(render_mode=render_mode)
        self._space = SPACES[kind]

    def action_space(self, agent: str) -> Any:
        return self._space

    def step(self, actions: dict[str, Any]) -> Any:
        for agent, action in actions.items():
            assert isinstance(action, np.ndarray), f"{agent} played {action!r}"
            assert action.dtype.kind == self._space.dtype.kind, f"{agent} played {action.dtype}"
            assert self._space.contains(action), f"{agent} played {action!r}"
        return super().step({agent: float(np.sum(action)) for agent, action in actions.items()})


def kind_env(**kwargs: Any) -> KindEnv:
    return KindEnv(**kwargs)


def kind_spec(kind: str) -> GameSpec:
    return GameSpec(
        id=f"test/{kind.replace(' ', '_')}",
        title=kind,
        entry="tests.support.kind_games:kind_env",
        agents=AGENTS,
        teams=(("ann",), ("bob",)),
        turn_based=False,
        fps=50,
        kwargs={"kind": kind},
    )
