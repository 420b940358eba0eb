"""What the learning seats saw and did in one fragment, lane by lane, and the advantages that follow.

A lane is one seat of one game.  A decision is open until the lane decides again or its episode ends; rewards that
come meanwhile are its own, so turn-based games are credited right.  A decision still open when the fragment ends is
carried into the next one, and its value is the bootstrap of the decision before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]


@dataclass(slots=True, eq=False)
class Decisions:
    """Closed decisions in columns, M rows: what `sample` returns and the learner learns from."""

    columns: dict[str, NDArray[Any]]  # obs, actions, action_logp, action_dist_inputs, advantages, value_targets, …
    env_steps: int

    def __len__(self) -> int:
        return self.env_steps  # RLlib asks its episodes for their env steps so


class Lanes:
    """Arrays (K slots, L lanes, …): slot k of a lane is its k-th decision of the fragment."""

    def __init__(self, slots: int, lanes: int) -> None:
        self._slots, self._lanes = slots + 1, lanes  # one more for the decision carried over
        self._columns: dict[str, NDArray[Any]] = {}
        shape = (self._slots, lanes)
        self.values = np.zeros(shape, np.float32)
        self.rewards = np.zeros(shape, np.float32)
        self.bootstraps = np.zeros(shape, np.float32)  # value of the last observation where truncated
        self.terminated = np.zeros(shape, np.bool_)
        self.truncated = np.zeros(shape, np.bool_)
        self.count = np.zeros(lanes, np.intp)  # decisions of the fragment so far
        self.open = np.zeros(lanes, np.bool_)  # the newest of them is open

    def decide(self, lanes: NDArray[np.intp], values: FloatArray, **columns: NDArray[Any]) -> None:
        """The lanes decide now; rows of `values` and `columns` belong to them in order."""
        slots = self.count[lanes]
        for name, rows in columns.items():
            self._column(name, rows)[slots, lanes] = rows
        self.values[slots, lanes] = values
        for array in (self.rewards, self.bootstraps, self.terminated, self.truncated):
            array[slots, lanes] = 0
        self.count[lanes] += 1
        self.open[lanes] = True

    def reward(self, rewards: FloatArray) -> None:
        """Rewards (L,) of one tick go to each lane's open decision; a lane that has none yet gets nothing."""
        lanes = np.flatnonzero(self.open)
        self.rewards[self.count[lanes] - 1, lanes] += rewards[lanes]

    def end(self, lanes: NDArray[np.intp], *, truncated: bool, bootstraps: FloatArray | float = 0.0) -> None:
        """The episode of these lanes ended; where truncated, `bootstraps` are the values of what was seen last."""
        keep = self.open[lanes]
        lanes = lanes[keep]
        slots = self.count[lanes] - 1
        (self.truncated if truncated else self.terminated)[slots, lanes] = True
        if truncated:
            self.bootstraps[slots, lanes] = np.broadcast_to(bootstraps, keep.shape)[keep]
        self.open[lanes] = False

    def drop(self, lanes: NDArray[np.intp]) -> None:
        """Forget the open decision of these lanes."""
        lanes = lanes[self.open[lanes]]
        self.count[lanes] -= 1
        self.open[lanes] = False

    def close_fragment(self, *, gamma: float, lambda_: float) -> dict[str, NDArray[Any]]:
        """The closed decisions with `advantages` and `value_targets`; open ones are carried over."""
        used = int(self.count.max(initial=0))
        closed = np.arange(used)[:, None] < (self.count - self.open)[None, :]
        advantages = gae(
            self.rewards[:used], self.values[:used], self.bootstraps[:used],
            self.terminated[:used], self.truncated[:used], closed, gamma=gamma, lambda_=lambda_,
        )  # fmt: skip
        rows = {name: column[:used][closed] for name, column in self._columns.items()}
        rows["advantages"] = advantages[closed]
        rows["value_targets"] = (advantages + self.values[:used])[closed]
        self._carry_over()
        return rows

    def _carry_over(self) -> None:
        lanes = np.flatnonzero(self.open)
        slots = self.count[lanes] - 1
        arrays = [*self._columns.values(), self.values, self.rewards]
        for array in arrays:
            array[0, lanes] = array[slots, lanes]
        for array in (self.bootstraps, self.terminated, self.truncated):
            array[0] = 0
        self.count[:] = self.open

    def _column(self, name: str, rows: NDArray[Any]) -> NDArray[Any]:
        if name not in self._columns:
            self._columns[name] = np.zeros((self._slots, self._lanes, *rows.shape[1:]), rows.dtype)
        return self._columns[name]


def gae(
    rewards: FloatArray, values: FloatArray, bootstraps: FloatArray,
    terminated: NDArray[np.bool_], truncated: NDArray[np.bool_], closed: NDArray[np.bool_],
    *, gamma: float, lambda_: float,
) -> FloatArray:  # fmt: skip
    """Generalised advantage estimation (Schulman et al. 2015, arXiv 1506.02438, eq. 16) down columns of (K, L).

    The value of the next slot follows on each decision; where terminated nothing does, where truncated `bootstraps`.
    A row that is not closed only lends its value to the row before it.
    """
    advantages = np.zeros_like(rewards)
    running = np.zeros(rewards.shape[1:], np.float32)
    following = np.zeros(rewards.shape[1:], np.float32)
    for k in reversed(range(len(rewards))):
        following = np.where(truncated[k], bootstraps[k], following)
        delta = rewards[k] + gamma * following * ~terminated[k] - values[k]
        running = (delta + gamma * lambda_ * running * ~(terminated[k] | truncated[k])) * closed[k]
        advantages[k] = running
        following = values[k]
    return advantages
