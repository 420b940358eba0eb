"""``pool``: another snapshot of the game for each episode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import SeatContext, SeatKind

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy


class Pool(SeatKind):
    """Draws a snapshot by the episode's seed."""

    name = form = "pool"
    takes_limits = True
    is_one_player = False

    def describe(self, choice: SeatChoice) -> str:
        return "any snapshot"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.pool import PoolController  # onnxruntime takes a second to import

        return PoolController(context.store, seat.game)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.pool import PoolBatch

        return PoolBatch(context.store, places)
