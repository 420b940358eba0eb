"""RolloutBuffer: the decisions of one policy's seats in a fragment, with their rewards.

A seat is a row of a group's flattened arrays: one of the group's agents in one env.  A decision is open until the seat
decides again or its episode ends; rewards meanwhile are its own, so turn-based games are credited right.  A decision
still open when the fragment ends is carried into the next one, and its observation follows the decision before it.  So
are the newest closed decisions of its episode where an algorithm waits for rewards after them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]


@dataclass(slots=True, eq=False)
class Decisions:
    """Closed decisions in columns, by policy, under the interface of RLlib's episodes.

    A slice of env steps has that share of each policy's rows, for one of several learners.  Neighbouring slices share
    a row that cannot be divided, so that a policy with any rows has some in each.
    """

    columns: dict[str, dict[str, NDArray[Any]]]  # policy id to obs, actions, … in the algorithm's layout
    env_steps: int
    states: FloatArray | None = None  # (R, state size) of a centralised critic, which columns refer to by row

    def __len__(self) -> int:
        return self.env_steps

    def __getitem__(self, steps: slice) -> Decisions:
        start, stop, _ = steps.indices(self.env_steps)

        def share(rows: NDArray[Any]) -> NDArray[Any]:
            return rows[len(rows) * start // self.env_steps : -(-len(rows) * stop // self.env_steps)]

        columns = {id: {name: share(rows) for name, rows in own.items()} for id, own in self.columns.items()}
        return Decisions(columns, stop - start, self.states)

    def slice(self, steps: slice, **_: Any) -> Decisions:
        """The slice by the name that RLlib calls; its look-back does not apply."""
        return self[steps]


@dataclass(frozen=True, slots=True, eq=False)
class Fragment:
    """Arrays (K slots, L seats, …): slot k of a seat is its k-th decision of the fragment, the open one included.

    The next slot of a closed decision has the decision that follows, unless the episode ended.
    """

    columns: dict[str, NDArray[Any]]  # obs, actions, action_logp, …; last_obs if the layout reads it
    values: FloatArray
    rewards: FloatArray
    bootstraps: FloatArray  # values of the last observations where truncated
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    closed: NDArray[np.bool_]  # False: still open, or no decision


class RolloutBuffer:
    """At most `slots` decisions for each seat and fragment, and those carried over.

    `keep` is the number of closed decisions of a running episode that are carried over, besides the open one.
    """

    def __init__(self, slots: int, seats: int, *, keep: int = 0) -> None:
        shape = (slots + 1 + keep, seats)  # one more for the open decision carried over
        self._keep = keep
        self._rows = Fragment({}, *np.zeros((3, *shape), np.float32), *np.zeros((3, *shape), np.bool_))
        self.count = np.zeros(seats, np.intp)  # decisions of the fragment so far
        self.open = np.zeros(seats, np.bool_)  # the newest of them is open

    def decide(self, seats: NDArray[np.intp], values: FloatArray, columns: Mapping[str, NDArray[Any]]) -> None:
        """Open a decision for each of `seats`; `values` and `columns` have a row for each."""
        slots, rows = self.count[seats], self._rows
        for name, column in columns.items():
            self._column(name, column)[slots, seats] = column
        rows.values[slots, seats] = values
        for array in (rows.rewards, rows.bootstraps, rows.terminated, rows.truncated):
            array[slots, seats] = 0
        self.count[seats] += 1
        self.open[seats] = True

    def reward(self, rewards: FloatArray) -> None:
        """Add the rewards (L,) of one tick to the open decisions; a seat without one gets none."""
        seats = np.flatnonzero(self.open)
        self._rows.rewards[self.count[seats] - 1, seats] += rewards[seats]

    def end(
        self, seats: NDArray[np.intp], *, truncated: bool, bootstraps: FloatArray | float = 0.0,
        last: Mapping[str, NDArray[Any]] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        """Close the open decisions of `seats`, whose episodes ended.

        `bootstraps` are the values of the last observations if truncated, `last` the columns of those observations.
        """
        slots = self.count[seats] - 1
        (self._rows.truncated if truncated else self._rows.terminated)[slots, seats] = True
        self._rows.bootstraps[slots, seats] = bootstraps
        for name, rows in last.items():
            self._column(f"last_{name}", rows)[slots, seats] = rows
        self.open[seats] = False

    def close(self) -> Fragment:
        """The fragment, as views that are valid until the next `carry_over` or `decide`."""
        used, rows = int(self.count.max(initial=0)), self._rows
        return Fragment(
            {name: column[:used] for name, column in rows.columns.items()},
            rows.values[:used], rows.rewards[:used], rows.bootstraps[:used], rows.terminated[:used],
            rows.truncated[:used], np.arange(used)[:, None] < (self.count - self.open)[None, :],
        )  # fmt: skip

    def carry_over(self) -> None:
        """Begin the next fragment with the open decisions, and the newest closed ones of their episodes."""
        seats, rows = np.flatnonzero(self.open), self._rows
        newest = self.count[seats] - 1
        first = np.maximum(newest - self._keep, self._episode_starts(seats))
        for slot in range(self._keep + 1):
            own = first + slot <= newest
            for array in (*rows.columns.values(), rows.values, rows.rewards):
                array[slot, seats[own]] = array[first[own] + slot, seats[own]]
        for array in (rows.bootstraps, rows.terminated, rows.truncated):
            array[: self._keep + 1] = 0
        self.count[:] = 0
        self.count[seats] = newest - first + 1

    def carried(self, name: str) -> NDArray[Any]:
        """The rows (M, …) of a column of the decisions that were carried over."""
        column = self._rows.columns.get(name)
        return np.zeros((0, 2), np.int64) if column is None else column[self._is_used]

    def set_carried(self, name: str, rows: NDArray[Any]) -> None:
        """Replace the rows that `carried` returned."""
        if name in self._rows.columns:
            self._rows.columns[name][self._is_used] = rows

    @property
    def _is_used(self) -> NDArray[np.bool_]:
        return np.asarray(np.arange(len(self._rows.values))[:, None] < self.count)

    def _episode_starts(self, seats: NDArray[np.intp]) -> NDArray[np.intp]:
        """The slots at which the running episodes of `seats` began, 0 for those before the fragment."""
        used = int(self.count.max(initial=0))
        ended = (self._rows.terminated | self._rows.truncated)[:used, seats]
        ended &= np.arange(used)[:, None] < self.count[seats]  # beyond are slots of earlier fragments
        return np.asarray((ended * (np.arange(used) + 1)[:, None]).max(axis=0, initial=0), np.intp)

    def _column(self, name: str, rows: NDArray[Any]) -> NDArray[Any]:
        columns = self._rows.columns
        if name not in columns:
            columns[name] = np.zeros((*self._rows.values.shape, *rows.shape[1:]), rows.dtype)
        return columns[name]
