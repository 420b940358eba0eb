"""What the learning seats saw and did in one fragment, lane by lane.

A lane is one seat of one game.  A decision is open until the lane decides again or its episode ends; rewards that
come meanwhile are its own, so turn-based games are credited right.  A decision still open when the fragment ends is
carried into the next one, and what it saw is what follows on the decision before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]


@dataclass(slots=True, eq=False)
class Decisions:
    """Closed decisions in columns, by policy: what `sample` returns and the learner learns from.

    A slice from env step to env step has that share of each policy's rows, for one of several learners.  Where they
    do not divide, two neighbours both have the row between them, so that a policy with any rows has some in each.
    """

    columns: dict[str, dict[str, NDArray[Any]]]  # policy id to obs, actions, … as the algorithm's layout has them
    env_steps: int

    def __len__(self) -> int:
        return self.env_steps  # RLlib asks its episodes for their env steps so

    def __getitem__(self, steps: slice) -> Decisions:
        start, stop, _ = steps.indices(self.env_steps)
        columns = {
            id: {name: _share(rows, start, stop, of=self.env_steps) for name, rows in own.items()}
            for id, own in self.columns.items()
        }
        return Decisions(columns, stop - start)

    def slice(self, steps: slice, **_: Any) -> Decisions:
        """As by ``[]``; RLlib's name for it, whose look-back these have no use for."""
        return self[steps]


def _share(rows: NDArray[Any], start: int, stop: int, *, of: int) -> NDArray[Any]:
    return rows[len(rows) * start // of : -(-len(rows) * stop // of)]


@dataclass(frozen=True, slots=True, eq=False)
class Fragment:
    """Arrays (K slots, L lanes, …): slot k of a lane is its k-th decision of the fragment, the open one included.

    The decision after a closed one that did not end its episode stands in the next slot.
    """

    columns: Mapping[str, NDArray[Any]]  # obs, actions, action_logp, …; last_obs where a layout wants it
    values: FloatArray
    rewards: FloatArray
    bootstraps: FloatArray  # value of the last observation where truncated
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    closed: NDArray[np.bool_]  # False: still open, or no decision at all

    def rows(self, name: str) -> NDArray[Any]:
        """A column of the closed decisions, slot by slot."""
        rows: NDArray[Any] = self.columns[name][self.closed]
        return rows


class Lanes:
    """The book of one policy: at most `slots` decisions a lane and fragment."""

    def __init__(self, slots: int, lanes: int) -> None:
        self._slots, self._lanes = slots + 1, lanes  # one more for the decision carried over
        self._columns: dict[str, NDArray[Any]] = {}
        shape = (self._slots, lanes)
        self.values = np.zeros(shape, np.float32)
        self.rewards = np.zeros(shape, np.float32)
        self.bootstraps = np.zeros(shape, np.float32)
        self.terminated = np.zeros(shape, np.bool_)
        self.truncated = np.zeros(shape, np.bool_)
        self.count = np.zeros(lanes, np.intp)  # decisions of the fragment so far
        self.open = np.zeros(lanes, np.bool_)  # the newest of them is open

    def decide(self, lanes: NDArray[np.intp], values: FloatArray, columns: Mapping[str, NDArray[Any]]) -> None:
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
        """Rewards (L,) of one tick go to each lane's open decision; a lane that has none gets nothing."""
        lanes = np.flatnonzero(self.open)
        self.rewards[self.count[lanes] - 1, lanes] += rewards[lanes]

    def end(
        self, lanes: NDArray[np.intp], *, truncated: bool, bootstraps: FloatArray | float = 0.0,
        last: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:  # fmt: skip
        """The episode of these lanes ended, each with a decision open.

        Where truncated, `bootstraps` are the values of what was seen last, and `last` has rows of that by name.
        """
        slots = self.count[lanes] - 1
        (self.truncated if truncated else self.terminated)[slots, lanes] = True
        if truncated:
            self.bootstraps[slots, lanes] = bootstraps
        for name, rows in (last or {}).items():
            self._column(f"last_{name}", rows)[slots, lanes] = rows
        self.open[lanes] = False

    def close(self) -> Fragment:
        """The fragment so far, as views that are valid until the lanes decide again; open decisions are carried over.

        Call `carry_over` once it was read.
        """
        used = int(self.count.max(initial=0))
        closed = np.arange(used)[:, None] < (self.count - self.open)[None, :]
        return Fragment(
            {name: column[:used] for name, column in self._columns.items()},
            self.values[:used], self.rewards[:used], self.bootstraps[:used],
            self.terminated[:used], self.truncated[:used], closed,
        )  # fmt: skip

    def carry_over(self) -> None:
        """Begin the next fragment with the decisions that are still open."""
        lanes = np.flatnonzero(self.open)
        slots = self.count[lanes] - 1
        for array in (*self._columns.values(), self.values, self.rewards):
            array[0, lanes] = array[slots, lanes]
        for array in (self.bootstraps, self.terminated, self.truncated):
            array[0] = 0
        self.count[:] = self.open

    def _column(self, name: str, rows: NDArray[Any]) -> NDArray[Any]:
        if name not in self._columns:
            self._columns[name] = np.zeros((self._slots, self._lanes, *rows.shape[1:]), rows.dtype)
        return self._columns[name]
