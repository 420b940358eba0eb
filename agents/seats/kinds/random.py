"""``random``: even draws from the legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import SeatContext, SeatKind

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy


class Random(SeatKind):
    """Draws evenly from the legal actions."""

    name = form = "random"
    is_vectorised = True
    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        return "random moves"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.random import RandomController  # gymnasium takes long to import

        return RandomController()

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.random import RandomBatch

        return RandomBatch(places)
