"""The keyboards and gamepads of the people at a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID, Controller
from agents.seats.words import parse_seat
from arcade.match.play.match import Match

if TYPE_CHECKING:
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


class MissingPads:
    """People are asked once about each; it counts anew when it was plugged in again."""

    def __init__(self, devices: PlayerDevices, match: Match) -> None:
        self._devices, self._match = devices, match
        self._asked: set[str] = set()

    def seats_of(self, word: str) -> list[AgentID]:
        """The seats of the gamepad with this word."""
        return [agent for agent, controller in self._match.mapping.items() if _word(controller) == word]

    def is_settled(self, word: str) -> bool:
        """Whether it is back, or has no seat any more."""
        return not self.seats_of(word) or not self._devices.is_gone(word)

    def came_back(self, word: str) -> None:
        """It is plugged in again."""
        self._asked.discard(word)

    def next(self) -> str:
        """The word of a missing gamepad that people were not asked about yet, "" for none; it counts as asked now."""
        words = dict.fromkeys(map(_word, self._match.mapping.values()))
        gone = [word for word in words if self._devices.is_gone(word)]
        self._asked &= set(gone)
        unasked = [word for word in gone if word not in self._asked]
        self._asked.update(unasked[:1])
        return unasked[0] if unasked else ""


def _word(controller: object) -> str:
    return getattr(controller, "word", "")


def people_at(match: Match) -> list[AgentID]:
    """The seats played by hand at this screen, in seat order."""
    return [agent for agent in match.spec.agents if getattr(match.mapping[agent], "word", "")]


def viewer_of(match: Match) -> AgentID | None:
    """The seat of the only person at this screen; of several, the one who alone looks; else None."""
    people = people_at(match)
    if len(people) == 1:
        return people[0]
    return next((agent for agent in people if getattr(match.mapping[agent], "in_view", False)), None)
