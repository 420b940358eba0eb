"""BatchPolicy: decides for many seats at once.

A seat is one place in one match, numbered by the caller: match x places + place, where the places of a match are its
agents in the env's order.  The caller's loop::

    policy.begin(seats, seeds)                              # episodes begin on these seats
    actions = policy.act(seats, observations, masks)        # as often as these seats are to act
    policy.close()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import Action, ActionMask, SeatSpec

Array = NDArray[Any]
Seats = NDArray[np.intp]
Seeds = Sequence[int] | NDArray[Any]
Masks = NDArray[np.int8] | None
Act = Callable[[Seats, Array, Masks], Array]


class BatchPolicy(ABC):
    """Decides for any number of seats; what one seat gets does not depend on which other seats ask with it.

    Each seat has its own random generator and, in a recurrent policy, its own memory.
    """

    label: str = "policy"
    """A short name for people."""

    is_vectorised: bool = True
    """Whether many seats in one call of `act` cost less than a call for each."""

    def begin(self, seats: Seats, seeds: Seeds) -> None:  # noqa: B027  (some policies keep nothing)
        """Begin episodes on `seats`, int (B,); all randomness there follows from `seeds`, int (B,).

        Cheap: what only a seat that acts needs is left to its first action.
        """

    @abstractmethod
    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        """The env's actions (B, *action shape) for `seats`, int (B,), which have equal spaces.

        `observations` is (B, *observation shape), `masks` int8 (B, n), 1 where legal, or None where all is legal.
        Raises ControllerError where the policy has no legal action.
        """

    def act_one(self, seat: int, observation: Any, mask: ActionMask | None) -> Action:
        """The action of one seat, as `act` would give it."""
        masks = None if mask is None else np.asarray(mask)[None]
        action = self.act(np.array([seat]), np.asarray(observation)[None], masks)[0]
        return action.item() if isinstance(action, np.generic) else action

    def close(self) -> None:  # noqa: B027
        """Free what the policy holds; safe to call twice."""


class SeatMemory:
    """The recurrent state of each seat: arrays by name, zeros at the start of an episode.

    `first` has one row (1, *shape) of each array.
    """

    def __init__(self, first: Mapping[str, Array]) -> None:
        self._rows = {name: np.zeros((0, *row.shape[1:]), row.dtype) for name, row in first.items()}

    def recall(self, seats: Seats) -> dict[str, Array]:
        """The rows of `seats`; {} where the policy has no memory."""
        if not self._rows:
            return {}
        needed = int(seats.max(initial=-1)) + 1
        self._rows = {name: grown(rows, needed) for name, rows in self._rows.items()}
        return {name: rows[seats] for name, rows in self._rows.items()}

    def keep(self, seats: Seats, rows: Mapping[str, Array]) -> None:
        """Replace the rows of `seats`, which were recalled before."""
        for name, array in rows.items():
            self._rows[name][seats] = array

    def forget(self, seats: Seats) -> None:
        """Set the rows of `seats` to zeros."""
        for rows in self._rows.values():
            rows[seats[seats < len(rows)]] = 0


def grown(rows: Array, needed: int) -> Array:
    """`rows` with at least `needed` rows: itself, or a copy of twice the length with zeros behind."""
    if len(rows) >= needed:
        return rows
    larger = np.zeros((max(needed, 2 * len(rows)), *rows.shape[1:]), rows.dtype)
    larger[: len(rows)] = rows
    return larger


class SeatBySeatPolicy(BatchPolicy):
    """Decides for one seat after another, by `act_one`; `places` are the places of a match."""

    def __init__(self, places: Sequence[SeatSpec]) -> None:
        self._places = places

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        rows: Sequence[ActionMask | None] = [None] * len(seats) if masks is None else list(masks)
        return self._batch(seats, [self.act_one(*row) for row in zip(seats.tolist(), observations, rows, strict=True)])

    def _place(self, seat: int) -> SeatSpec:
        return self._places[seat % len(self._places)]

    def _batch(self, seats: Seats, actions: Sequence[Action]) -> Array:
        space = self._place(int(seats[0])).action_space
        return np.array(actions, space.dtype).reshape(len(seats), *space.shape)


class PolicyPerPlace(BatchPolicy):
    """Another policy on each place of a match; places with the same policy share its calls.

    `policies` has one for each place, None for a place that is never asked.
    """

    def __init__(self, policies: Sequence[BatchPolicy | None]) -> None:
        self._policies = list(dict.fromkeys(policy for policy in policies if policy is not None))
        self._number = np.array([-1 if policy is None else self._policies.index(policy) for policy in policies])

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        for policy, rows in self._split(seats):
            policy.begin(seats[rows], np.asarray(seeds)[rows])

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        return act_apart(((policy.act, rows) for policy, rows in self._split(seats)), seats, observations, masks)

    def close(self) -> None:
        for policy in self._policies:
            policy.close()

    def _split(self, seats: Seats) -> list[tuple[BatchPolicy, Seats]]:
        numbers = self._number[seats % len(self._number)]
        return [(self._policies[n], np.flatnonzero(numbers == n)) for n in np.unique(numbers) if n >= 0]


def act_apart(parts: Iterable[tuple[Act, Any]], seats: Seats, observations: Array, masks: Masks) -> Array:
    """The actions for `seats`, each `act` of `parts` called for its rows, ints (k,), of the batch."""
    actions = np.zeros(0)
    for act, rows in parts:
        own = act(seats[rows], observations[rows], None if masks is None else masks[rows])
        if len(own) == len(seats):
            return own
        actions = actions if len(actions) else np.zeros((len(seats), *own.shape[1:]), own.dtype)
        actions[rows] = own
    return actions
