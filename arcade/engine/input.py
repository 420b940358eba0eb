"""pygame's events in, ours out: the one place that knows both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pygame

from arcade.engine import bindings
from arcade.engine.events import (
    AxisInput,
    ControlInput,
    Device,
    DeviceAdded,
    DeviceRemoved,
    FocusGained,
    FocusLost,
    InputEvent,
    KeyInput,
    MenuInput,
    Point,
    PointerInput,
    QuitAsked,
    TextInput,
)
from arcade.engine.gamepads import Gamepads

REPEAT_DELAY, REPEAT_EVERY = 0.4, 0.08  # of a direction held in a menu
_STICK_DIRECTIONS = {"x": ("left", "right"), "y": ("up", "down")}
_HAT_DIRECTIONS = (("left", "right"), ("down", "up"))


class InputTranslator:
    """Turns one pygame event into ours, and repeats held directions.

    A control that two things hold (a stick and a cross) counts as held until both let go; a key that goes down
    twice without coming up, as key repeat makes it, counts once; one that comes up without going down is nothing.
    """

    def __init__(self, pads: Gamepads, *, to_canvas: Callable[[Point], Point] = lambda pos: pos) -> None:
        self._pads = pads
        self._to_canvas = to_canvas
        self._held: dict[tuple[Device, str], set[str]] = {}  # who holds a control down
        self._repeats: dict[tuple[Device, str], float] = {}  # when it repeats next; inf: not timed yet
        self._stuck: set[tuple[Device, str]] = set()  # directions of a stick that must come back before they count
        self.text_entry = False  # True: letters are text, so only arrows, Enter and Escape move in menus

    def translate(self, event: Any) -> Iterator[InputEvent]:
        """What a pygame event means; nothing for those that mean nothing here."""
        handler = self._HANDLERS.get(event.type)
        if handler is not None:
            yield from handler(self, event)

    def repeat(self, now: float) -> Iterator[InputEvent]:
        """The repeats that are due at `now` (seconds): each held direction once at most."""
        for (device, control), due in list(self._repeats.items()):
            if due == float("inf"):
                self._repeats[device, control] = now + REPEAT_DELAY
            elif now >= due:
                self._repeats[device, control] = now + REPEAT_EVERY
                yield from self._control_events(device, control, pressed=True, repeated=True)

    def clear(self) -> None:
        """Forget what is held; what is held across this must be let go and pressed again to count."""
        self._stuck.update(key for key, holders in self._held.items() if "stick" in holders)
        self._held.clear()
        self._repeats.clear()

    # Keyboard

    def _key(self, event: Any) -> Iterator[InputEvent]:
        pressed = event.type == pygame.KEYDOWN
        yield KeyInput(pygame.key.name(event.key), pressed)
        half = bindings.half_of(event)
        if half is not None and not (self.text_entry and half[0] != "arrows"):
            yield from self._hold(bindings.KEYBOARD[half[0]], half[1], f"key {event.key}", pressed=pressed)
        if pressed:
            yield from self._menu_key(event)

    def _menu_key(self, event: Any) -> Iterator[InputEvent]:
        found = bindings.MENU_KEYS.get(event.key)
        if found is None or (self.text_entry and event.key in (pygame.K_BACKSPACE, pygame.K_p)):
            return
        action, half = found
        if event.key == pygame.K_TAB and getattr(event, "mod", 0) & pygame.KMOD_SHIFT:
            action = "previous"
        yield MenuInput(action, bindings.KEYBOARD[half])

    def _text(self, event: Any) -> Iterator[InputEvent]:
        yield TextInput(event.text)

    # Mouse

    def _motion(self, event: Any) -> Iterator[InputEvent]:
        yield PointerInput("move", self._to_canvas(event.pos))

    def _button(self, event: Any) -> Iterator[InputEvent]:
        if event.button <= 3:  # 4 and 5 are the wheel, which comes as its own event
            kind = "press" if event.type == pygame.MOUSEBUTTONDOWN else "release"
            yield PointerInput(kind, self._to_canvas(event.pos), button=event.button)  # type: ignore[arg-type]

    def _wheel(self, event: Any) -> Iterator[InputEvent]:
        yield PointerInput("wheel", self._to_canvas(pygame.mouse.get_pos()), wheel=event.y)

    # Gamepads

    def _pad_added(self, event: Any) -> Iterator[InputEvent]:
        device = self._pads.add(event.device_index)
        if device is not None:
            yield DeviceAdded(device)

    def _pad_removed(self, event: Any) -> Iterator[InputEvent]:
        device = self._pads.remove(event.instance_id)
        if device is not None:
            yield from self._let_go(device)
            yield DeviceRemoved(device)

    def _pad_button(self, event: Any) -> Iterator[InputEvent]:
        control = bindings.PAD_BUTTONS.get(event.button)
        device = self._pads.find(event.instance_id)
        if device is not None and control is not None:
            pressed = event.type == pygame.CONTROLLERBUTTONDOWN
            yield from self._hold(device, control, f"button {event.button}", pressed=pressed)

    def _pad_axis(self, event: Any) -> Iterator[InputEvent]:
        device = self._pads.find(event.instance_id)
        axis = bindings.PAD_AXES.get(event.axis)
        if device is not None and axis is not None:
            yield from self._axis(device, axis, max(-1.0, event.value / 32767))

    def _raw_button(self, event: Any) -> Iterator[InputEvent]:
        device, control = self._raw_pad(event), bindings.RAW_BUTTONS.get(event.button)
        if device is not None and control is not None:
            pressed = event.type == pygame.JOYBUTTONDOWN
            yield from self._hold(device, control, f"button {event.button}", pressed=pressed)

    def _raw_axis(self, event: Any) -> Iterator[InputEvent]:
        device, axis = self._raw_pad(event), bindings.RAW_AXES.get(event.axis)
        if device is not None and axis is not None:
            yield from self._axis(device, axis, event.value)

    def _raw_hat(self, event: Any) -> Iterator[InputEvent]:
        device = self._raw_pad(event)
        if device is not None:
            for value, (low, high) in zip(event.value, _HAT_DIRECTIONS, strict=True):
                yield from self._hold(device, low, f"hat {event.hat}", pressed=value < 0)
                yield from self._hold(device, high, f"hat {event.hat}", pressed=value > 0)

    def _raw_pad(self, event: Any) -> Device | None:
        """The pad, where SDL does not name its buttons; a named one speaks by controller events."""
        return None if self._pads.is_named(event.instance_id) else self._pads.find(event.instance_id)

    def _axis(self, device: Device, axis: str, value: float) -> Iterator[InputEvent]:
        yield AxisInput(device, axis, bindings.without_dead_zone(value))
        for control, reach in zip(_STICK_DIRECTIONS.get(axis, ()), (-value, value), strict=False):
            key = (device, control)
            was_out = key in self._stuck or "stick" in self._held.get(key, ())
            out = reach > (bindings.STICK_RELEASE if was_out else bindings.STICK_PRESS)
            if not out:
                self._stuck.discard(key)
            yield from self._hold(device, control, "stick", pressed=out and key not in self._stuck)

    # Window

    def _focus_lost(self, _event: Any) -> Iterator[InputEvent]:
        for device in {device for device, _ in self._held}:
            yield from self._let_go(device)
        yield FocusLost()

    def _focus_gained(self, _event: Any) -> Iterator[InputEvent]:
        yield FocusGained()

    def _quit(self, _event: Any) -> Iterator[InputEvent]:
        yield QuitAsked()

    # What is held

    def _hold(self, device: Device, control: str, holder: str, *, pressed: bool) -> Iterator[InputEvent]:
        holders = self._held.setdefault((device, control), set())
        was = bool(holders)
        (holders.add if pressed else holders.discard)(holder)
        if bool(holders) == was:
            return
        if pressed and control in bindings.DIRECTIONS:
            self._repeats[device, control] = float("inf")
        elif not pressed:
            self._repeats.pop((device, control), None)
        yield from self._control_events(device, control, pressed=pressed, repeated=False)

    def _let_go(self, device: Device) -> Iterator[InputEvent]:
        for key, holders in list(self._held.items()):
            if key[0] == device and holders:
                holders.clear()
                self._repeats.pop(key, None)
                yield ControlInput(device, key[1], pressed=False)
        if device.kind == "gamepad":
            yield from (AxisInput(device, axis, 0.0) for axis in bindings.PAD_AXES.values())

    def _control_events(self, device: Device, control: str, *, pressed: bool, repeated: bool) -> Iterator[InputEvent]:
        yield ControlInput(device, control, pressed, repeated)
        action = bindings.MENU_CONTROLS.get(control)
        if pressed and action is not None and not (device.kind == "keyboard" and control == "b"):
            yield MenuInput(action, device, repeated)

    _HANDLERS: dict[int, Callable[[InputTranslator, Any], Iterator[InputEvent]]] = {  # noqa: RUF012
        pygame.KEYDOWN: _key,
        pygame.KEYUP: _key,
        pygame.TEXTINPUT: _text,
        pygame.MOUSEMOTION: _motion,
        pygame.MOUSEBUTTONDOWN: _button,
        pygame.MOUSEBUTTONUP: _button,
        pygame.MOUSEWHEEL: _wheel,
        pygame.JOYDEVICEADDED: _pad_added,
        pygame.JOYDEVICEREMOVED: _pad_removed,
        pygame.CONTROLLERBUTTONDOWN: _pad_button,
        pygame.CONTROLLERBUTTONUP: _pad_button,
        pygame.CONTROLLERAXISMOTION: _pad_axis,
        pygame.JOYBUTTONDOWN: _raw_button,
        pygame.JOYBUTTONUP: _raw_button,
        pygame.JOYAXISMOTION: _raw_axis,
        pygame.JOYHATMOTION: _raw_hat,
        pygame.WINDOWFOCUSLOST: _focus_lost,
        pygame.WINDOWFOCUSGAINED: _focus_gained,
        pygame.QUIT: _quit,
    }
