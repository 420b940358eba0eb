"""WindowInput: gamepads, keyboards, mouse and key bindings of one window, as a stream of our events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pygame

from agents.files import NewestWriter
from arcade.engine.input import sources
from arcade.engine.input.bindings_file import WHAT, load_changes, save_changes
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import DeviceAdded, DeviceRemoved, FocusLost, InputEvent, Point
from arcade.engine.input.gamepads import Gamepads
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.input.pygame_events import InputTranslator


class WindowInput:
    """The engine feeds each event to `devices` and to its top scene, and then takes the next one."""

    def __init__(self, *, to_page: Callable[[Point], Point], clock: Callable[[], float]) -> None:
        self.pads = Gamepads()
        changes, self.warning = load_changes()
        self._writer = NewestWriter(save_changes, what=WHAT)
        self.bindings = KeyBindings(changes, identify=self.pads.identity_of, save=self._writer.write)
        self.devices = DeviceHub(self.pads, self.bindings, clock=clock)
        self._translator = InputTranslator(self.pads, self.bindings, to_canvas=to_page)

    @property
    def text_entry(self) -> bool:
        """True while keys that print are text, and step through no menu."""
        return self._translator.text_entry

    @text_entry.setter
    def text_entry(self, on: bool) -> None:
        self._translator.text_entry = on
        (pygame.key.start_text_input if on else pygame.key.stop_text_input)()

    def tune(self, *, dead_zone: float, curve: float, opposites: str) -> None:
        """Set how sticks respond, and what two opposite directions at once mean."""
        self._translator.dead_zone, self._translator.curve = dead_zone, curve
        self.devices.opposites = opposites

    def translate(self, event: Any) -> Iterator[InputEvent]:
        """What a pygame event means."""
        return self._translator.translate(event)

    def own_keyboards(self) -> Iterator[InputEvent]:
        """What keyboards did that are told apart, which pygame does not say."""
        keyboards = self.devices.keyboards
        for device, key, pressed in keyboards.changes():
            yield from self._translator.own_key(device, key, pressed)
        for device, came in keyboards.news():
            yield DeviceAdded(device) if came else DeviceRemoved(device)

    def repeats(self, now: float) -> Iterator[InputEvent]:
        """The repeats of held directions that are due."""
        return self._translator.repeat(now)

    def focus_lost(self, event: InputEvent) -> None:
        """Forget what is held where `event` says that the window lost the keyboard."""
        if isinstance(event, FocusLost):
            self._translator.clear()

    def clear(self) -> None:
        """Let go of all that is held."""
        self.devices.clear()
        self._translator.clear()

    def close(self) -> None:
        """Write what was changed, and free pads and keyboards; can be called twice."""
        self._writer.flush()
        sources.forget_labels()
        self.devices.close()
        self.pads.close()
