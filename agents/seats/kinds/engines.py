"""``uci:PROGRAM`` and ``gtp:PROGRAM``: programs that play chess and go."""

from __future__ import annotations

from agents.engines.settings import label_of
from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext


class EngineKind(NamedSeatKind):
    """A program in its own process."""

    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        return label_of(choice)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.engines.make import make_engine  # python-chess takes long to import

        return make_engine(choice, seat)


class Uci(EngineKind):
    """Chess."""

    name, form = "uci", "uci:PROGRAM"
    settings = ("skill", "elo", "movetime_ms", "nodes", "depth")


class Gtp(EngineKind):
    """Go."""

    name, form = "gtp", "gtp:PROGRAM"
    settings = ("level", "komi")
