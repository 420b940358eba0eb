"""``remote:ENDPOINT[/POLICY]``: an agent in another process."""

from __future__ import annotations

from agents.seats.choice import SeatChoice, SeatError
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext


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
