"""A pad that plays and is gone, and who may play on in its seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.seats.controller import AgentID
from arcade.engine.input.events import DeviceAdded, MenuInput
from arcade.session.seating import KEYBOARD

if TYPE_CHECKING:
    from arcade.scenes.match.match_scene import MatchScene


class MissingPad:
    """What can be done about the pad with the seat word `word`."""

    def __init__(self, scene: MatchScene, word: str) -> None:
        self._scene, self.word = scene, word

    @property
    def seats(self) -> list[AgentID]:
        """What it plays."""
        return self._scene.pads.seats_of(self.word)

    @property
    def is_settled(self) -> bool:
        """Whether it is back, or plays nothing any more."""
        return not self.seats or not self._scene.engine.devices.is_gone(self.word)

    def answers(self, event: DeviceAdded | MenuInput) -> bool:
        """Whether this lets the match go on: the pad is back, or another one that plays nothing takes its seats."""
        device = event.device
        if isinstance(event, MenuInput) and (event.action not in ("accept", "start") or event.repeated):
            return False
        if isinstance(event, DeviceAdded) and device.word == self.word:
            return True
        if device.kind != "gamepad" or self._scene.engine.devices.hearing(device):
            return False
        for agent in self.seats:
            self._scene.joining.take_over(agent, device)
        return True

    def keyboard(self) -> None:
        """The keyboard takes the seats."""
        for agent in self.seats:
            self._scene.joining.seat(agent, KEYBOARD)

    def machine(self) -> None:
        """Machines take the seats."""
        for agent in self.seats:
            self._scene.joining.hand_over(agent)
