"""Gamepads: the connected pads, their numbers, and their names by SDL's controller database."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, NamedTuple

import pygame
from pygame._sdl2 import controller

from arcade.engine.input.events import Device


class Rumble(NamedTuple):
    """A vibration."""

    low: float  # strength of the heavy motor, 0 … 1
    high: float  # of the light one
    seconds: float


@dataclass(slots=True)
class _Slot:
    device: Device
    handle: Any = None  # an open Controller or Joystick; None while disconnected


class Gamepads:
    """All pads since the start; a model that is connected again gets its old number."""

    def __init__(self) -> None:
        self._slots: list[_Slot] = []
        self._by_instance: dict[int, _Slot] = {}
        self.vibration = True  # False: `rumble` does nothing
        pygame.joystick.init()
        controller.init()

    def add(self, index: int) -> Device | None:
        """Open the pad at SDL's device `index`; None for a pad that is open already or disconnected."""
        try:
            handle, joystick = _open(index)
        except pygame.error:
            return None
        instance, guid = joystick.get_instance_id(), joystick.get_guid()
        if instance in self._by_instance:
            return None
        slot = self._slot_for(guid)
        slot.device = Device("gamepad", slot.device.slot, _name(handle), guid, instance, self._twin(slot, guid))
        slot.handle = handle
        self._by_instance[instance] = slot
        return slot.device

    def remove(self, instance: int) -> Device | None:
        """Close the pad of that connection; None for an unknown one."""
        if (slot := self._by_instance.pop(instance, None)) is None:
            return None
        slot.handle = None
        return slot.device

    def find(self, instance: int, *, named: bool) -> Device | None:
        """Return the pad of that connection if SDL's database names its buttons (or, for `named` False, does not)."""
        slot = self._by_instance.get(instance)
        return slot.device if slot and isinstance(slot.handle, controller.Controller) is named else None

    def rumble(self, word: str, rumble: Rumble) -> bool:
        """Vibrate the pad with the number in `word`; returns whether it can."""
        handle = next((slot.handle for slot in self._slots if slot.device.word == word), None)
        if handle is None or not self.vibration:
            return False
        return bool(handle.rumble(rumble.low, rumble.high, round(1000 * rumble.seconds)))

    def identity_of(self, word: str) -> str:
        """Return the identity of the last pad with the number in `word`; "" without one."""
        return next((slot.device.identity for slot in self._slots if slot.device.word == word), "")

    def numbered(self, number: int) -> Device | None:
        """Return the last pad with that number, connected or not; None without one."""
        return next((slot.device for slot in self._slots if slot.device.slot == str(number)), None)

    @property
    def present(self) -> tuple[Device, ...]:
        """The connected pads, by number."""
        return tuple(slot.device for slot in self._slots if slot.handle is not None)

    def close(self) -> None:
        """Close every pad, and SDL's subsystems, which map joysticks to controllers only when opened anew."""
        self._by_instance.clear()
        self._slots.clear()
        controller.quit()
        pygame.joystick.quit()

    def _slot_for(self, guid: str) -> _Slot:
        free = [slot for slot in self._slots if slot.handle is None]
        if not free:
            self._slots.append(_Slot(Device("gamepad", slot=str(len(self._slots)))))
            return self._slots[-1]
        return next((slot for slot in free if slot.device.guid == guid), free[0])

    def _twin(self, slot: _Slot, guid: str) -> int:
        """Return the pad's number in its model: its last one, else the lowest free one."""
        if slot.device.guid == guid:
            return slot.device.twin
        taken = {other.device.twin for other in self._slots if other.device.guid == guid}
        return next(number for number in itertools.count(1) if number not in taken)


def _open(index: int) -> tuple[Any, Any]:
    if controller.is_controller(index):
        pad = controller.Controller(index)
        return pad, pad.as_joystick()
    joystick = pygame.joystick.Joystick(index)
    return joystick, joystick


def _name(handle: Any) -> str:
    name = handle.name if isinstance(handle, controller.Controller) else handle.get_name()
    return str(name or "Gamepad")
