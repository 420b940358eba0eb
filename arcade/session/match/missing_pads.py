"""MissingPads: disconnected gamepads that have a seat."""

from __future__ import annotations

from agents.seats.controller import AgentID
from arcade.match.play.match import Match
from arcade.session.match.devices import PlayerDevices


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
