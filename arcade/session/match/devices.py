"""PlayerDevices: the keyboards and gamepads of players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller
from agents.seats.words import parse_seat

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.play.lineup import Devices


class PlayerDevices(Protocol):
    """Devices are named by their seat words, such as ``keyboard:wasd`` or ``gamepad:0``."""

    @property
    def seats(self) -> tuple[SeatChoice, ...]:
        """The seat choices of all connected devices."""

    @property
    def apart(self) -> bool:
        """Whether several keyboards can be distinguished."""

    def factories(self, spec: GameSpec) -> Devices:
        """Make the controllers of people's seats in a match of `spec`."""

    def plays(self, word: str, controller: Controller) -> bool:
        """Whether `controller` uses the device `word`."""

    def is_gone(self, word: str) -> bool:
        """Whether the device is disconnected."""


class NoDevices:
    """The devices of a match without a window."""

    seats: tuple[SeatChoice, ...] = ()
    apart = False

    def factories(self, spec: GameSpec) -> Devices:
        return {}

    def plays(self, word: str, controller: Controller) -> bool:
        return False

    def is_gone(self, word: str) -> bool:
        return False


def hand_of(word: str) -> SeatChoice:
    """Return the seat choice of a person who starts with the device `word`: that gamepad, or the whole keyboard."""
    return parse_seat(word) if word.startswith("gamepad") else SeatChoice("keyboard")
