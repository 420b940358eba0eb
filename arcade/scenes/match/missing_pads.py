"""MissingPad: what can be done about a disconnected gamepad that has a seat."""

from __future__ import annotations

from agents.seats.words import parse_seat
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import DeviceAdded, MenuInput
from arcade.session.match.session import MatchSession
from arcade.session.seating import KEYBOARD


class MissingPad:
    """The gamepad with the seat word `word`."""

    def __init__(self, session: MatchSession, word: str) -> None:
        self._session, self.word = session, word

    @property
    def is_settled(self) -> bool:
        """Whether it is back, or has no seat any more."""
        return self._session.pads.is_settled(self.word)

    def answers(self, event: DeviceAdded | MenuInput, hub: DeviceHub) -> bool:
        """Whether this resumes the match: it is back, or another one without a seat takes its seats."""
        device = event.device
        if isinstance(event, MenuInput) and (event.action not in ("accept", "start") or event.repeated):
            return False
        if isinstance(event, DeviceAdded) and device.word == self.word:
            return True
        if device.kind != "gamepad" or hub.hearing(device):
            return False
        for agent in self._session.pads.seats_of(self.word):
            self._session.seats.put(agent, parse_seat(device.word), "takeover")
        return True

    def keyboard(self) -> None:
        """Give its seats to the keyboard."""
        for agent in self._session.pads.seats_of(self.word):
            self._session.seats.seat(agent, KEYBOARD)

    def policy(self) -> None:
        """Give its seats to policies."""
        for agent in self._session.pads.seats_of(self.word):
            self._session.seats.hand_over(agent)
