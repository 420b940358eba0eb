"""``level:hard``: a difficulty level, that is a snapshot of the pool held to limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.seats.choice import EVEN, LEVELS, SeatChoice, SeatError
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import SeatContext, SeatKind

if TYPE_CHECKING:
    from agents.seats.limits import Limits


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
        from agents.policies.snapshot_controller import SnapshotController  # onnxruntime takes a second to import
        from agents.seats.levels import snapshot_of

        snapshot = snapshot_of(choice.argument, seat.game, seat.agent, context.store)
        snapshot.check(seat)
        return SnapshotController(snapshot)
