"""Pads that seats are played with and that are gone: which of them somebody must be asked about."""

from __future__ import annotations

from agents.seats.controller import AgentID
from arcade.engine.input.devices import DeviceHub
from arcade.match.play.match import Match


class MissingPads:
    """Nobody is asked twice: whoever goes on without a pad plays on without it, until it comes back and goes again."""

    def __init__(self, hub: DeviceHub, match: Match) -> None:
        self._hub, self._match = hub, match
        self._asked: set[str] = set()

    def seats_of(self, word: str) -> list[AgentID]:
        """The seats that the pad with this word holds."""
        return [agent for agent, controller in self._match.mapping.items() if getattr(controller, "word", "") == word]

    def came_back(self, word: str) -> None:
        """It is there again."""
        self._asked.discard(word)

    def next(self) -> str:
        """The word of a pad that plays, is gone and that nobody was asked about; "" where there is none.

        Whoever is given a word is asked now.
        """
        words = dict.fromkeys(getattr(controller, "word", "") for controller in self._match.mapping.values())
        gone = [word for word in words if self._hub.is_gone(word)]
        self._asked &= set(gone)
        unasked = [word for word in gone if word not in self._asked]
        self._asked.update(unasked[:1])
        return unasked[0] if unasked else ""
