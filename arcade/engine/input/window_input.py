"""WindowInput: gamepads, keyboards, mouse and key bindings of one window, as a stream of input events."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agents.files import NewestWriter
from arcade.engine.input import sources
from arcade.engine.input.bindings_file import WHAT, load_changes, save_changes
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import DeviceAdded, DeviceRemoved, InputEvent, Point
from arcade.engine.input.gamepads import Gamepads
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.input.pygame_events import InputTranslator


class WindowInput:
    """The engine feeds each event to `devices` and to its top scene before it takes the next one."""

    def __init__(self, *, to_page: Callable[[Point], Point], clock: Callable[[], float]) -> None:
        self.pads = Gamepads()
        changes, self.warning = load_changes()
        self._writer = NewestWriter(save_changes, what=WHAT)
        self.bindings = KeyBindings(changes, identify=self.pads.identity_of, save=self._writer.write)
        self.devices = DeviceHub(self.pads, self.bindings, clock=clock)
        self.translator = InputTranslator(self.pads, self.bindings, to_canvas=to_page)

    def tune(self, *, dead_zone: float, curve: float, opposites: str) -> None:
        """Set the response of sticks, and the meaning of two opposite directions."""
        self.translator.dead_zone, self.translator.curve = dead_zone, curve
        self.devices.opposites = opposites

    def keyboard_events(self) -> Iterator[InputEvent]:
        """Yield the events of separate keyboards, which pygame cannot tell apart."""
        keyboards = self.devices.keyboards
        for device, key, pressed in keyboards.changes():
            yield from self.translator.update(device, key, pressed=pressed)
        for device, came in keyboards.connections():
            yield DeviceAdded(device) if came else DeviceRemoved(device)

    def clear(self) -> None:
        """Release everything held."""
        self.devices.clear()
        self.translator.clear()

    def close(self) -> None:
        """Save the changes, and close pads and keyboards; can be called twice."""
        self._writer.flush()
        sources.forget_labels()
        self.devices.close()
        self.pads.close()
