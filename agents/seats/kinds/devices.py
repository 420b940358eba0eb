"""``keyboard`` and ``gamepad``: seats that people play."""

from __future__ import annotations

from agents.seats.choice import KEYBOARD_HALVES, SeatChoice, SeatError
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import SeatContext, SeatKind


class DeviceKind(SeatKind):
    """A person's device; the window makes its controller."""

    is_one_player = False

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        if self.name not in context.devices:
            raise SeatError(f"expected a window for the seat {choice}, got a match without one; try snapshot:latest")
        return context.devices[self.name](choice, seat)


class Keyboard(DeviceKind):
    """A whole keyboard, half of one, or one of several keyboards."""

    name, form = "keyboard", "keyboard[:wasd|arrows|ijkl|N]"

    def check(self, argument: str) -> None:
        if argument not in ("", *KEYBOARD_HALVES) and not (argument.isdecimal() and int(argument)):
            raise SeatError(f"expected {self.form} with N = 1, 2, …")

    def describe(self, choice: SeatChoice) -> str:
        half = {"wasd": "WASD", "ijkl": "IJKL"}.get(choice.argument, choice.argument)
        return f"keyboard {half}".strip()


class Gamepad(DeviceKind):
    """A gamepad by its number."""

    name, form = "gamepad", "gamepad[:N]"

    def check(self, argument: str) -> None:
        if argument and not argument.isdecimal():
            raise SeatError(f"expected {self.form} with N = 0, 1, …")

    def describe(self, choice: SeatChoice) -> str:
        return f"gamepad {int(choice.argument or 0) + 1}"
