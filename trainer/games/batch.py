"""GameBatch: many games of one kind in lock-step, whatever steps them.

The caller's loop::

    batch.reset(np.arange(batch.games), seeds)
    while True:
        batch.step(actions)                      # for the seats that `batch.acting` names
        over = np.flatnonzero(batch.over)        # last observations are still there to look at
        batch.reset(over, new_seeds)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.controller import AgentID
from arcade.games.spec import GameSpec


class GameBatch(ABC):
    """N games with the same A seats.  Arrays hold what came of the newest `step`, or `reset` for games just reset."""

    spec: GameSpec
    games: int  # N
    agents: tuple[AgentID, ...]  # A seats, in the spec's order
    spaces: dict[AgentID, tuple[Any, Any]]  # (observation space without mask, action space)
    learnable: NDArray[np.bool_]  # (A,): the seat's spaces are those of the first seat
    observations: NDArray[Any]  # (N, A, *shape), the env's dtype; stands still while a seat has nothing new to see
    masks: NDArray[np.int8] | None  # (N, A, actions); None: the game has no action masks
    acting: NDArray[np.bool_]  # (N, A): the next step needs the seat's action
    rewards: NDArray[np.float32]  # (N, A)
    terminated: NDArray[np.bool_]  # (N, A): the seat's episode ended at the newest step
    truncated: NDArray[np.bool_]  # (N, A): it was cut off there

    @property
    def over(self) -> NDArray[np.bool_]:
        """bool, (N,): nobody is to act any more."""
        return ~self.acting.any(axis=1)

    @abstractmethod
    def reset(self, games: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        """Begin new episodes in the games numbered `games`, each with its seed, 0 <= seed < 2**31."""

    @abstractmethod
    def step(self, actions: NDArray[Any]) -> None:
        """Advance every game that is not over; `actions` (N, A, *action shape) are the env's own, read where acting."""

    def close(self) -> None:  # noqa: B027  (most have nothing to free)
        """Free the games; twice does no harm."""

    def _allocate(self) -> None:
        seen, action = self.spaces[self.agents[0]]
        seats = (self.games, len(self.agents))
        self.learnable = np.array([self.spaces[a] == (seen, action) for a in self.agents])
        self.observations = np.zeros((*seats, *seen.shape), seen.dtype)
        self.acting = np.zeros(seats, np.bool_)
        self.rewards = np.zeros(seats, np.float32)
        self.terminated = np.zeros(seats, np.bool_)
        self.truncated = np.zeros(seats, np.bool_)
