"""PlayerDevices: the keyboards and gamepads that people play with, as matches know them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller
from agents.seats.words import parse_seat

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.play.lineup import Devices


class PlayerDevices(Protocol):
    """Devices go by their seat words, as ``keyboard:wasd`` or ``gamepad:0``."""

    @property
    def seats(self) -> tuple[SeatChoice, ...]:
        """The seats that people can take with what is plugged in now."""

    @property
    def apart(self) -> bool:
        """Whether several keyboards are told apart."""

    def factories(self, spec: GameSpec) -> Devices:
        """Make the controllers of people's seats in a match of `spec`."""

    def plays(self, word: str, controller: Controller) -> bool:
        """Whether `controller` is played with the device of that word."""

    def is_gone(self, word: str) -> bool:
        """Whether that device is unplugged."""


class NoDevices:
    """Of a match without a window."""

    seats: tuple[SeatChoice, ...] = ()
    apart = False

    def factories(self, spec: GameSpec) -> Devices:
        return {}

    def plays(self, word: str, controller: Controller) -> bool:
        return False

    def is_gone(self, word: str) -> bool:
        return False


def hand_of(word: str) -> SeatChoice:
    """The seat of a person who starts alone with the device `word`: that gamepad, else any half of the keyboard."""
    return parse_seat(word) if word.startswith("gamepad") else SeatChoice("keyboard")
