"""``snapshot:NAME``: a frozen policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy


class Snapshot(NamedSeatKind):
    """A snapshot by its name or path, the latest, or the best by the ladder."""

    name, form = "snapshot", "snapshot:NAME|latest|best|PATH"
    is_vectorised = True
    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        return {"latest": "newest snapshot", "best": "best snapshot"}.get(choice.argument, choice.argument)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.snapshot_controller import SnapshotController  # onnxruntime takes a second to import

        snapshot = context.store.get(choice.argument, game=seat.game, agent=seat.agent)
        snapshot.check(seat)
        return SnapshotController(snapshot)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.snapshot import SnapshotBatch

        return SnapshotBatch(context.store.get(choice.argument, game=places[0].game))
