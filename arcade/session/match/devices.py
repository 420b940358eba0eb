"""PlayerDevices: the keyboards and gamepads of players, and the seats of people at this screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.seats.controller import AgentID, Controller, SeatChoice
from agents.seats.kinds import parse_seat

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.play.lineup import Devices
    from arcade.match.play.match import Match


class PlayerDevices:
    """Devices are named by their seat words, such as ``keyboard:wasd`` or ``gamepad:0``.  This base class has none."""

    @property
    def seats(self) -> tuple[SeatChoice, ...]:
        """The seat choices of all connected devices."""
        return ()

    @property
    def apart(self) -> bool:
        """Whether several keyboards can be distinguished."""
        return False

    def factories(self, spec: GameSpec) -> Devices:
        """Make the controllers of people's seats in a match of `spec`."""
        return {}

    def plays(self, word: str, controller: Controller) -> bool:
        """Whether `controller` uses the device `word`."""
        return False

    def is_gone(self, word: str) -> bool:
        """Whether the device is disconnected."""
        return False


def hand_of(word: str) -> SeatChoice:
    """Return the seat choice of a person who starts with the device `word`: that gamepad, or the whole keyboard."""
    return parse_seat(word) if word.startswith("gamepad") else SeatChoice("keyboard")


def people_at(match: Match) -> list[AgentID]:
    """Return the seats of people at this screen, in order."""
    return [agent for agent in match.spec.agents if getattr(match.mapping[agent], "word", "")]


def viewer_of(match: Match) -> AgentID | None:
    """Return the seat of the only person at this screen, or of the one who looks alone; else None."""
    people = people_at(match)
    if len(people) == 1:
        return people[0]
    return next((agent for agent in people if getattr(match.mapping[agent], "options", ())), None)
