"""``idle``: an empty seat."""

from __future__ import annotations

from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import SeatContext, SeatKind


class Idle(SeatKind):
    """Does nothing."""

    name = form = "idle"

    def describe(self, choice: SeatChoice) -> str:
        return "empty"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.idle import IdleController  # gymnasium takes long to import

        return IdleController()
