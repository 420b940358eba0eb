"""The iterated lever game: two players pull one of several levers each, and are paid where it is the same one.

A round is the lever game of Hu et al. 2020, "Other-Play" for zero-shot coordination, arXiv 2003.02979, with levers that
are all alike: players who trained together agree on one by convention, strangers must find one while they play.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from arcade.games.spec import GameSpec

LEVERS, ROUNDS = 4, 12
PLAYERS = ("player_0", "player_1")


class LeverEnv(ParallelEnv):
    """A player sees the round's number, and each player's last lever, its own first; each round is worth 1 / ROUNDS."""

    metadata = {"name": "levers", "render_fps": 10}  # noqa: RUF012
    possible_agents = list(PLAYERS)  # noqa: RUF012

    def observation_space(self, agent: str) -> Any:
        return spaces.Box(0, 1, (1 + 2 * LEVERS,), np.float32)

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(LEVERS)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.agents, self._round = list(PLAYERS), 0
        self._pulled = np.zeros((2, LEVERS), np.float32)
        return self._see(), {agent: {} for agent in PLAYERS}

    def step(self, actions: Any) -> Any:
        self._round += 1
        self._pulled = np.eye(LEVERS, dtype=np.float32)[[int(actions[agent]) for agent in PLAYERS]]
        pay = float(self._pulled.all(axis=0).any()) / ROUNDS
        over = self._round >= ROUNDS
        self.agents = [] if over else self.agents
        flags = dict.fromkeys(PLAYERS, over)
        return (
            self._see(), dict.fromkeys(PLAYERS, pay), flags, dict.fromkeys(PLAYERS, False),
            {agent: {} for agent in PLAYERS},
        )  # fmt: skip

    def _see(self) -> dict[str, Any]:
        share = np.float32([self._round / ROUNDS])
        return {agent: np.concatenate([share, *self._pulled[[i, 1 - i]]]) for i, agent in enumerate(PLAYERS)}

    def close(self) -> None:
        pass


def lever_env(**_: Any) -> LeverEnv:
    """The env of LEVERS_SPEC."""
    return LeverEnv()


LEVERS_SPEC = GameSpec(
    id="test/levers", title="Levers", entry="tests.support.lever_game:lever_env", agents=PLAYERS, teams=(PLAYERS,),
    turn_based=False, fps=10, outcome="cooperative",
)  # fmt: skip
