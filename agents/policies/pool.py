"""A seat that draws another frozen opponent for each episode."""

from __future__ import annotations

import numpy as np

from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import SeatSpec
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotError, SnapshotStore

DRAWN_BEFORE = 8
"""Sessions kept open, so that a long series does not load the same graph again and again."""


class PoolController(SnapshotController):
    """Draws evenly from all snapshots of the seat's game that the store holds when the episode begins.

    The draw follows from the episode's seed; one that is refused is drawn over.  Raises SnapshotError where the store
    has none that fits.
    """

    kind = "pool"

    def __init__(self, store: SnapshotStore, game: str) -> None:
        self._store = store
        self._game = game
        self._open: dict[str, OnnxPolicy] = {}
        super().__init__(self._policy_named("latest"))

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        policy = self._drawn(seat, np.random.default_rng(seed))
        self._seat = None  # checked against the new seat below, not against the last one
        self.replace(policy)
        super().reset(seat, seed=seed)

    def _drawn(self, seat: SeatSpec, rng: np.random.Generator) -> OnnxPolicy:
        names = [card.name for card in self._store.list(self._game) if card.plays(seat.agent)]
        while names:
            try:
                policy = self._policy_named(names.pop(int(rng.integers(len(names)))))
                policy.snapshot.check(seat)
            except SnapshotError:
                continue  # one that is broken, or of other rules than today's
            return policy
        raise SnapshotError(f"expected a snapshot of {self._game} that plays {seat.agent!r}, got none in the store")

    @property
    def open_count(self) -> int:
        """Graphs in memory now."""
        return len(self._open)

    def _policy_named(self, name: str) -> OnnxPolicy:
        policy = self._open.pop(name, None) or OnnxPolicy(self._store.get(name, game=self._game))
        if len(self._open) >= DRAWN_BEFORE:
            self._open.pop(next(iter(self._open)))
        self._open[name] = policy  # last: the first is the one longest unused
        return policy
