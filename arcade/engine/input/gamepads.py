"""Gamepads: opened when plugged in, numbered, named by SDL's own controller database."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pygame
from pygame._sdl2 import controller

from arcade.engine.input.events import Device


@dataclass(slots=True)
class _Slot:
    device: Device
    handle: Any = None  # an open Controller or Joystick; None while unplugged


class Gamepads:
    """Every pad there is or was.  A number belongs to a pad of one model for as long as the arcade runs.

    The same model plugged in again gets its old number back, so ``gamepad:1`` stays the second player's.
    """

    def __init__(self) -> None:
        self._slots: list[_Slot] = []
        self._by_instance: dict[int, _Slot] = {}
        pygame.joystick.init()
        controller.init()

    def add(self, index: int) -> Device | None:
        """Open the pad at SDL's device `index`; None where it is open already or gone again."""
        try:
            handle, joystick = _open(index)
        except pygame.error:
            return None
        instance = joystick.get_instance_id()
        if instance in self._by_instance:
            return None
        slot = self._slot_for(joystick.get_guid())
        guid = joystick.get_guid()
        slot.device = Device("gamepad", slot.device.slot, _name(handle), guid, instance, self._twin(slot, guid))
        slot.handle = handle
        self._by_instance[instance] = slot
        return slot.device

    def remove(self, instance: int) -> Device | None:
        """Close the pad of that plugging-in; None where it is unknown."""
        slot = self._by_instance.pop(instance, None)
        if slot is None:
            return None
        slot.handle = None
        return slot.device

    def find(self, instance: int) -> Device | None:
        """The pad of that plugging-in."""
        slot = self._by_instance.get(instance)
        return slot.device if slot else None

    def identity_of(self, word: str) -> str:
        """The identity of the pad that has, or had last, the number in `word`; "" where there was none."""
        return next((slot.device.identity for slot in self._slots if slot.device.word == word), "")

    def numbered(self, number: int) -> Device | None:
        """The pad with that number, plugged in or not; None where none ever had it."""
        return next((slot.device for slot in self._slots if slot.device.slot == str(number)), None)

    def is_named(self, instance: int) -> bool:
        """Whether SDL's database names this pad's buttons."""
        slot = self._by_instance.get(instance)
        return slot is not None and isinstance(slot.handle, controller.Controller)

    @property
    def present(self) -> tuple[Device, ...]:
        """The pads plugged in now, by number."""
        return tuple(slot.device for slot in self._slots if slot.handle is not None)

    def close(self) -> None:
        """Let go of every pad, and of what SDL knows of them.

        Pads opened later begin anew: with its events SDL drops what turns a joystick's into a controller's,
        and sets that up only when controllers are opened from nothing.
        """
        self._by_instance.clear()
        self._slots.clear()
        controller.quit()
        pygame.joystick.quit()

    def _slot_for(self, guid: str) -> _Slot:
        free = [slot for slot in self._slots if slot.handle is None]
        for slot in free:
            if slot.device.guid == guid:
                return slot
        slot = free[0] if free else _Slot(Device("gamepad", slot=str(len(self._slots))))
        if not free:
            self._slots.append(slot)
        return slot

    def _twin(self, slot: _Slot, guid: str) -> int:
        """Which of the pads of one model comes in: the number that it had, else the lowest that is free."""
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
