"""ScreenDevices: the window's keyboards and gamepads, as matches know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller
from agents.seats.words import parse_seat
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import Device

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.play.lineup import Devices


class ScreenDevices:
    """See PlayerDevices."""

    def __init__(self, hub: DeviceHub) -> None:
        self._hub = hub

    @property
    def seats(self) -> tuple[SeatChoice, ...]:
        """The seats that people can take with what is plugged in now."""
        devices = [*KEYBOARD.values(), *self._own_keyboards(), *self._hub.pads]
        return tuple(parse_seat(word) for word in ("keyboard", *(device.word for device in devices)))

    @property
    def apart(self) -> bool:
        """Whether several keyboards are told apart."""
        return self._hub.apart

    def factories(self, spec: GameSpec) -> Devices:
        """Make the controllers of people's seats in a match of `spec`."""
        from arcade.controls.device_controllers import make_devices  # games take longer to import than the title may

        return make_devices(self._hub, find=lambda game: spec)

    def plays(self, word: str, controller: Controller) -> bool:
        """Whether `controller` is played with the device of that word."""
        kind, _, slot = word.partition(":")
        hearing: Sequence[object] = self._hub.hearing(Device(kind, slot))  # type: ignore[arg-type]
        return controller in hearing

    def is_gone(self, word: str) -> bool:
        """Whether that device is unplugged."""
        return self._hub.is_gone(word)

    def _own_keyboards(self) -> tuple[Device, ...]:
        self._hub.keyboards.refresh()
        return self._hub.keyboards.present if self._hub.keyboards.apart else ()
