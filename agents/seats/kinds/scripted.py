"""``scripted``: the scripted player that a game ships."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from agents.seats.choice import SeatChoice, SeatError
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import SeatContext, SeatKind

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy


class Scripted(SeatKind):
    """The game's own player; many seats are asked together where its module has `play_batch` beside `play`."""

    name = form = "scripted"
    is_vectorised = True
    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        return "scripted player"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.functions import FunctionController  # gymnasium takes long to import

        return FunctionController(_function(context, seat.game), label=self.name)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.functions import FunctionBatch, VectorBatch

        play = _function(context, places[0].game if places else "this game")
        vectorised = getattr(sys.modules[play.__module__], f"{play.__name__}_batch", None)
        if vectorised is None:
            return FunctionBatch(play, places, label=self.name)
        return VectorBatch(lambda observations, masks, draws: vectorised(observations, draws), label=self.name)


def _function(context: SeatContext, game: str) -> Callable[..., Any]:
    from agents.policies.functions import load_function

    if not context.scripted:
        raise SeatError(f"expected a game with a scripted player, got {game}, which ships none; try random")
    return load_function(context.scripted)
