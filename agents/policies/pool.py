"""Seats that draw another frozen opponent for each episode."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.policies.batch import Act, Array, BatchPolicy, Masks, Seats, Seeds, act_apart
from agents.policies.snapshot import SnapshotBatch
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import SeatSpec
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotError, SnapshotStore

MAX_OPEN = 8
"""Graphs kept open, so that a long series does not load the same graph again and again."""


class GraphCache:
    """The graphs of a store's snapshots, the most recently used in memory."""

    def __init__(self, store: SnapshotStore, *, size: int = MAX_OPEN) -> None:
        self._store, self._size = store, size
        self._open: dict[str, OnnxPolicy] = {}  # least recently used first

    def __len__(self) -> int:
        return len(self._open)

    def get(self, name: str, game: str) -> OnnxPolicy:
        """The snapshot's graph; raises SnapshotError."""
        policy = self._open.pop(name, None)
        if policy is None:
            policy = OnnxPolicy(self._store.get(name, game=game))
            while len(self._open) >= self._size:
                self._open.pop(next(iter(self._open)))
        self._open[name] = policy
        return policy

    def draw(self, seat: SeatSpec, seed: int) -> OnnxPolicy:
        """A policy drawn evenly from the snapshots that fit the seat; another is drawn for one that is refused.

        Raises SnapshotError where none fits.
        """
        rng = np.random.default_rng(seed)
        names = [card.name for card in self._store.list(seat.game) if card.plays(seat.agent)]
        while names:
            try:
                policy = self.get(names.pop(int(rng.integers(len(names)))), seat.game)
                policy.snapshot.check(seat)
            except SnapshotError:
                continue  # broken, or made for earlier rules of the game
            return policy
        raise SnapshotError(f"expected a snapshot of {seat.game} that plays {seat.agent!r}, got none in the store")


class PoolController(SnapshotController):
    """One live seat that draws another snapshot of its game for each episode, by the episode's seed."""

    kind = "pool"

    def __init__(self, store: SnapshotStore, game: str) -> None:
        self.graphs = GraphCache(store)
        super().__init__(self.graphs.get("latest", game))

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        policy = self.graphs.draw(seat, seed)
        self._seat = None  # checked against the new seat below, not against the last one
        self.replace(policy)
        super().reset(seat, seed=seed)


class PoolBatch(BatchPolicy):
    """Draws another snapshot of the game for each seat and episode, by the seat's seed; see GraphCache.draw."""

    label = "pool"

    def __init__(self, store: SnapshotStore, places: Sequence[SeatSpec]) -> None:
        self._graphs, self._places = GraphCache(store), places
        self._seeds: dict[int, int] = {}
        self._drawn: dict[int, SnapshotBatch] = {}  # by seat
        self._policies: dict[str, SnapshotBatch] = {}

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        for seat, seed in zip(seats.tolist(), seeds, strict=True):
            self._seeds[seat] = int(seed)
            self._drawn.pop(seat, None)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        rows: dict[Act, list[int]] = {}
        for row, seat in enumerate(seats.tolist()):
            rows.setdefault((self._drawn.get(seat) or self._draw(seat)).act, []).append(row)
        return act_apart(rows.items(), seats, observations, masks)

    def _draw(self, seat: int) -> SnapshotBatch:
        place = self._places[seat % len(self._places)]
        name = self._graphs.draw(place, self._seeds[seat]).card.name
        policy = self._policies.get(name)
        if policy is None:
            policy = self._policies[name] = SnapshotBatch(lambda: self._graphs.get(name, place.game))
        policy.begin(np.array([seat]), [self._seeds[seat]])
        self._drawn[seat] = policy
        return policy
