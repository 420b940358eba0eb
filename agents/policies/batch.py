"""BatchPolicy: decides for many seats at once, each with its own memory and random generator.

A seat is one place in one match, numbered by the caller: match x places + place, where the places of a match are its
agents in the env's order.  The caller's loop::

    policy.begin(seats, seeds)                              # episodes begin on these seats
    actions = policy.act(seats, observations, masks)        # as often as these seats are to act
    policy.close()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import Action, ActionMask, SeatSpec

Array = NDArray[Any]
Seats = NDArray[np.intp]
Seeds = Sequence[int] | NDArray[Any]
Masks = NDArray[np.int8] | None
Decide = Callable[[Any, ActionMask | None], Action]
"""(observation, action_mask) -> action, for one seat in one episode."""
Act = Callable[[Seats, Array, Masks], Array]


def stacked(observations: Array) -> Array:
    """The observations as one array (B, *shape), also where those of another type came as objects."""
    return np.stack(list(observations)) if observations.dtype == object else observations


class BatchPolicy(ABC):
    """Decides for any number of seats; the action of a seat does not depend on the other seats of a call.

    Each seat has its own random generator and, in a recurrent policy, its own memory.
    """

    label: str = "policy"
    """A short name for people."""

    obs_type: str = ""
    """The observations that it decides from, as in Controller.obs_type; other types come as an array of objects."""

    is_vectorised: bool = True
    """Whether many seats in one call of `act` cost less than a call for each."""

    def begin(self, seats: Seats, seeds: Seeds) -> None:  # noqa: B027  (some policies keep nothing)
        """Begin episodes on `seats`, int (B,); all randomness there follows from `seeds`, int (B,).

        Cheap: the rest is prepared at the first action of a seat.
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

    def decider(self, seat: int) -> Decide:
        """`act_one` of one seat until its next `begin`, with all that can be looked up once looked up."""
        return partial(self.act_one, seat)

    def close(self) -> None:  # noqa: B027
        """Free all resources; safe to call twice."""


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
    """Decides for one seat after another; `places` are the places of a match."""

    is_vectorised = False

    def __init__(self, places: Sequence[SeatSpec]) -> None:
        self._places = places
        self._seeds: dict[int, int] = {}
        self._started: dict[int, Decide] = {}

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        for seat, seed in zip(seats.tolist(), seeds, strict=True):
            self._seeds[seat] = int(seed)
            self._started.pop(seat, None)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        rows = zip(seats.tolist(), observations, mask_rows(seats, masks), strict=True)
        return as_batch([self.act_one(*row) for row in rows], place_of(int(seats[0]), self._places).action_space)

    def act_one(self, seat: int, observation: Any, mask: ActionMask | None) -> Action:
        return self.decider(seat)(observation, mask)

    def decider(self, seat: int) -> Decide:
        decide = self._started.get(seat)
        if decide is None:
            decide = self._started[seat] = self._start(place_of(seat, self._places), self._seeds[seat])
        return decide

    @abstractmethod
    def _start(self, place: SeatSpec, seed: int) -> Decide:
        """The decisions of a seat in an episode that follows from `seed`."""


def place_of(seat: int, places: Sequence[SeatSpec]) -> SeatSpec:
    """The place of a numbered seat."""
    return places[seat % len(places)]


def mask_rows(seats: Seats, masks: Masks) -> Sequence[ActionMask | None]:
    """A mask, or None, for each seat."""
    return [None] * len(seats) if masks is None else list(masks)


def as_batch(actions: Sequence[Action], space: Any) -> Array:
    """Actions of equal spaces as one array."""
    return np.array(actions, space.dtype).reshape(len(actions), *space.shape)


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


class SeatGenerators:
    """Uniform numbers for each seat, and a generator for policies that draw anything else.

    The n-th uniform number of a seat is the n-th output of SplitMix64 (Steele, Lea, Flood 2014: Fast splittable
    pseudorandom number generators) for its seed: it needs no state but n, so a batch draws in a few array operations.
    """

    def __init__(self) -> None:
        self._generators: dict[int, np.random.Generator] = {}
        self._seeds = np.zeros(0, np.uint64)
        self._drawn = np.zeros(0, np.uint64)

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        """Seed `seats` anew."""
        needed = int(seats.max(initial=-1)) + 1
        self._seeds, self._drawn = grown(self._seeds, needed), grown(self._drawn, needed)
        self._seeds[seats], self._drawn[seats] = seeds, 0
        if self._generators:
            for seat in seats.tolist():
                self._generators.pop(seat, None)

    def of(self, seats: Seats) -> SeatDraws:
        """The draws of `seats`, a row each."""
        return SeatDraws(self, seats)

    def generator(self, seat: int) -> np.random.Generator:
        """The generator itself, for a policy that takes nothing else."""
        found = self._generators.get(seat)
        if found is None:
            found = self._generators[seat] = np.random.default_rng(int(self._seeds[seat]))
        return found

    def number(self, seat: int) -> float:
        """The next uniform number of one seat."""
        drawn = int(self._drawn[seat])
        self._drawn[seat] = drawn + 1
        return float(split_mix(int(self._seeds[seat]), drawn))

    def numbers(self, seats: Seats) -> NDArray[np.float64]:
        """The next uniform number of each seat, float64 (B,)."""
        drawn = self._drawn[seats]
        self._drawn[seats] = drawn + 1
        numbers: NDArray[np.float64] = split_mix(self._seeds[seats], drawn)
        return numbers


_64_BITS = 2**64 - 1


def split_mix(seed: Any, index: Any) -> Any:
    """Number `index` of SplitMix64 from `seed`, 0 <= number < 1; both ints, or both uint64 arrays of one shape."""
    z = (seed + (index + 1) * 0x9E3779B97F4A7C15) & _64_BITS
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _64_BITS
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _64_BITS
    return ((z ^ (z >> 31)) >> 11) * 2.0**-53


class SeatDraws:
    """Draws each row of a batch from the generator of its own seat, as if that seat had asked alone.

    Has the methods of numpy's Generator that policies use.  A policy draws uniform numbers or normal ones, never both.
    """

    def __init__(self, generators: SeatGenerators, seats: Seats) -> None:
        self._generators, self._seats = generators, seats

    def random(self, shape: tuple[int, ...] | int | None = None, dtype: Any = np.float64) -> Any:
        """Of `shape` and `dtype`, 0 <= number < 1, the first axis in the order of the seats; a float for None."""
        if shape is None:
            return self._generators.number(int(self._seats[0]))
        count = int(np.prod(shape)) // max(1, len(self._seats))
        if count == 1:
            return self._generators.numbers(self._seats).reshape(shape).astype(dtype, copy=False)
        rows = [self._generators.numbers(self._seats) for _ in range(count)]
        return np.stack(rows, axis=1).reshape(shape).astype(dtype, copy=False)

    def standard_normal(self, shape: tuple[int, ...], dtype: Any = np.float32) -> NDArray[Any]:
        """float32 of `shape`; the first axis is the seats'."""
        own = [
            self._generators.generator(seat).standard_normal(shape[1:], dtype=dtype) for seat in self._seats.tolist()
        ]
        return np.array(own, dtype).reshape(shape)


RandomNumbers = np.random.Generator | SeatDraws
