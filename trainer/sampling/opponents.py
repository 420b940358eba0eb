"""Opponents: the policies of the seats that do not learn, snapshots and seat words, numbered.

A snapshot's bytes arrive before it is in play and go when neither new nor old episodes need them, so that memory does
not grow with the pool.  An opponent that fails is dropped: its games continue against random play and are not counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.policies.batch import Array, BatchPolicy, Masks, Seats
from agents.policies.random import RandomBatch
from agents.seats.controller import SeatSpec
from agents.snapshots.store import Snapshot
from arcade.games.spec import GameSpec
from trainer.sampling.seat_words import make_policy

LIVE = -1
"""In place of an opponent's number: a learning policy sits there."""

NOBODY, STAND_IN = -1, -2
"""Among the holders of seats: no policy has begun the episode there; random play has."""

KEPT = 32
"""Snapshots that are no longer in play and kept all the same: they may be soon."""


class Opponents:
    """Numbers are given to names as they come and never change."""

    def __init__(self, spec: GameSpec, places: Sequence[SeatSpec], *, games: int) -> None:
        self._spec, self._places = spec, places
        self._seeds = np.zeros(games * len(places), np.int64)  # of each seat's episode
        self._holder = np.full(len(self._seeds), NOBODY)  # the opponent that has begun the seat's episode
        self._number: dict[str, int] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._policies: dict[int, BatchPolicy] = {}
        self._stand_in = RandomBatch(places)
        self.names: list[str] = []
        self.dropped: dict[str, str] = {}  # name to why

    @property
    def snapshots(self) -> dict[str, Snapshot]:
        """The snapshots held here, by name."""
        return dict(self._snapshots)

    def number(self, name: str) -> int:
        """Of a snapshot's name or a seat word."""
        if name not in self._number:
            self._number[name] = len(self.names)
            self.names.append(name)
        return self._number[name]

    def hold(self, snapshots: Mapping[str, Snapshot], *, needed: Collection[str]) -> None:
        """Take in snapshots, and let go of those that are not `needed`, but for a few."""
        self._snapshots |= snapshots
        spare = [name for name in self._snapshots if name not in needed]
        for name in spare[: max(0, len(spare) - KEPT)]:
            del self._snapshots[name]
            self._close(self.number(name))

    def act(self, number: int, seats: Seats, observations: Array, masks: Masks) -> Array:
        """The env's actions of opponent `number` on seats with equal spaces."""
        name = self.names[number]
        if name not in self.dropped:
            try:
                policy = self._policy(number)
                self._begin(number, policy, seats)
                return policy.act(seats, observations, masks)
            except UserError as error:
                self.dropped[name] = str(error)
                self._close(number)
        self._begin(STAND_IN, self._stand_in, seats)
        return self._stand_in.act(seats, observations, masks)

    def _begin(self, number: int, policy: BatchPolicy, seats: Seats) -> None:
        """Tell a policy of the seats that it takes over; the policies that never meet them are not asked."""
        new = seats[self._holder[seats] != number]
        if len(new):
            policy.begin(new, self._seeds[new])
            self._holder[new] = number

    def begin(self, seats: Seats, seeds: NDArray[np.int64]) -> None:
        """Begin new episodes on these seats."""
        self._seeds[seats] = seeds
        for number in np.unique(self._holder[seats]).tolist():
            if number in self._policies:  # it may free what it kept of the last episode
                own = seats[self._holder[seats] == number]
                self._policies[number].begin(own, self._seeds[own])
        self._holder[seats] = NOBODY

    def close(self) -> None:
        """Free all policies; safe to call twice."""
        for number in list(self._policies):
            self._close(number)

    def _policy(self, number: int) -> BatchPolicy:
        policy = self._policies.get(number)
        if policy is None:
            name = self.names[number]
            policy = self._policies[number] = make_policy(name, self._spec, self._places, self._snapshots.get(name))
        return policy

    def _close(self, number: int) -> None:
        policy = self._policies.pop(number, None)
        if policy is not None:
            self._holder[self._holder == number] = NOBODY
            policy.close()
