"""``python:module:function``: a Python function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.seats.choice import SeatChoice, SeatError
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy


class Python(NamedSeatKind):
    """Any function of (observation, action_mask, rng), imported when a seat is made."""

    name, form = "python", "python:module:function"
    takes_limits = True

    def check(self, argument: str) -> None:
        if argument.count(":") != 1:
            raise SeatError(f"expected {self.form}")

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.functions import FunctionController  # gymnasium takes long to import

        return FunctionController.from_word(choice.argument)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.functions import FunctionBatch, load_function

        return FunctionBatch(load_function(choice.argument), places, label=choice.argument)
