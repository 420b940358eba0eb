"""``uci``, ``gtp`` and ``remote``: seats that other programs play."""

from __future__ import annotations

from importlib import import_module

from agents.engines.engine import EngineController
from agents.engines.settings import EngineSettings, find_command, label_of
from agents.seats.choice import SeatChoice, SeatError
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext


class EngineKind(NamedSeatKind):
    """An engine in its own process, started by the module of `agents.engines` that is named as the kind."""

    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        return label_of(choice)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        """Raises SeatError for wrong settings, ControllerError for a missing program or a seat of another game."""
        settings, command = EngineSettings.of(choice), find_command(choice.argument)
        starter = import_module(f"agents.engines.{self.name}").starter  # python-chess takes long to import
        return EngineController(starter(seat, command, settings), label=label_of(choice))


class Uci(EngineKind):
    """A chess engine."""

    name, form = "uci", "uci:PROGRAM"
    settings = ("skill", "elo", "movetime_ms", "nodes", "depth")


class Gtp(EngineKind):
    """A go engine."""

    name, form = "gtp", "gtp:PROGRAM"
    settings = ("level", "komi")


class Remote(NamedSeatKind):
    """A policy server, or any program behind the same protocol."""

    name, form = "remote", "remote:ENDPOINT[/POLICY]"
    takes_limits = True

    def check(self, argument: str) -> None:
        super().check(argument)
        if "://" not in argument:
            raise SeatError(f"expected {self.form} with an endpoint like tcp://127.0.0.1:5555")

    def describe(self, choice: SeatChoice) -> str:
        return f"remote {choice.argument.partition('://')[2]}"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.wire.client import RemoteController, parse_remote  # zmq takes long to import

        return RemoteController(*parse_remote(choice.argument))
