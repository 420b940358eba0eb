"""Seats that draw another frozen opponent for each episode."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np

from agents.policies.batch import Decide, SeatBySeatPolicy
from agents.policies.snapshot import SnapshotBatch
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import SeatSpec
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotError, SnapshotStore

MAX_OPEN = 8
"""Graphs kept open, so that a long series does not load the same graph again and again."""


class GraphCache:
    """The graphs of a store's snapshots, the most recently used in memory; `get` raises SnapshotError."""

    def __init__(self, store: SnapshotStore, *, size: int = MAX_OPEN) -> None:
        self._store = store
        self.get = lru_cache(size)(self._open)

    def _open(self, name: str, game: str) -> OnnxPolicy:
        return OnnxPolicy(self._store.get(name, game=game))

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


class PoolBatch(SeatBySeatPolicy):
    """Draws another snapshot of the game for each seat and episode, by the seat's seed; see GraphCache.draw."""

    label = "pool"

    def __init__(self, store: SnapshotStore, places: Sequence[SeatSpec]) -> None:
        super().__init__(places)
        self._graphs = GraphCache(store)

    def _start(self, place: SeatSpec, seed: int) -> Decide:
        name = self._graphs.draw(place, seed).card.name
        policy = SnapshotBatch(lambda: self._graphs.get(name, place.game))
        policy.begin(np.zeros(1, np.intp), [seed])
        return partial(policy.act_one, 0)
