"""``snapshot``, ``level`` and ``pool``: seats that frozen policies decide for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.seats.choice import EVEN, LEVELS, SeatChoice, SeatError
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext, SeatKind

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy
    from agents.seats.limits import Limits
    from agents.snapshots.snapshot import Snapshot as FrozenPolicy


class Snapshot(NamedSeatKind):
    """A snapshot by its name or path, the latest, or the best by the ladder."""

    name, form = "snapshot", "snapshot:NAME|latest|best|PATH"
    is_vectorised = True
    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        return {"latest": "newest snapshot", "best": "best snapshot"}.get(choice.argument, choice.argument)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        return _make_controller(context.store.get(choice.argument, game=seat.game, agent=seat.agent), seat)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.snapshot import SnapshotBatch

        return SnapshotBatch(context.store.get(choice.argument, game=places[0].game))


def _make_controller(snapshot: FrozenPolicy, seat: SeatSpec) -> Controller:
    from agents.policies.snapshot_controller import SnapshotController  # onnxruntime takes a second to import

    snapshot.check(seat)
    return SnapshotController(snapshot)


class Level(SeatKind):
    """One of four difficulty levels, or the level of about the opponents' strength."""

    name, form = "level", f"level:{'|'.join((*LEVELS, EVEN))}"
    takes_limits = True

    def check(self, argument: str) -> None:
        if argument not in (*LEVELS, EVEN):
            raise SeatError(f"expected {self.form}")

    def describe(self, choice: SeatChoice) -> str:
        return "about your strength" if choice.is_even else f"machine, {choice.argument}"

    def limits(self, choice: SeatChoice, *, turn_based: bool) -> Limits:
        from agents.seats.levels import limits_of  # numpy takes long to import

        return limits_of(choice.argument, turn_based=turn_based)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        if choice.is_even:
            raise SeatError(f"expected people in a window for the seat {choice}, got a match without; try level:normal")
        from agents.seats.levels import snapshot_of  # numpy takes long to import

        return _make_controller(snapshot_of(choice.argument, seat.game, seat.agent, context.store), seat)


class Pool(SeatKind):
    """Draws a snapshot by the episode's seed."""

    name = form = "pool"
    title = "any snapshot"
    takes_limits = True
    is_one_player = False

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.pool import PoolController  # onnxruntime takes a second to import

        return PoolController(context.store, seat.game)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.pool import PoolBatch

        return PoolBatch(context.store, places)
