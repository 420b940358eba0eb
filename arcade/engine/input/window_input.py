"""WindowInput: gamepads, keyboards, mouse and key bindings of one window, as a stream of input events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pygame

from agents.files import NewestWriter
from arcade.engine.input import events, sources
from arcade.engine.input.bindings_file import WHAT, Changes, changes_file, load_changes
from arcade.engine.input.default_bindings import WHOLE_KEYBOARD
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import Device, InputEvent
from arcade.engine.input.finger import Finger
from arcade.engine.input.gamepads import Gamepads
from arcade.engine.input.key_bindings import DeviceBindings, HeldControls, KeyBindings

JITTER = 12
"""Pixels that a resting mouse may move, on a table that is knocked, until it counts after keys or a gamepad."""

REPEAT_DELAY, REPEAT_EVERY = 0.4, 0.08  # of held directions in a menu
STICK_PRESS, STICK_RELEASE = 0.5, 0.35  # where a stick outside its dead zone counts as pressed, and no longer
_NEVER = float("inf")
_HAT_DIRECTIONS = (("left", "right"), ("down", "up"))


class WindowInput:
    """Translates pygame's events by the key bindings, and repeats held directions.

    A key that goes down twice counts once.  The engine feeds each event to `devices` and to its top scene before it
    takes the next one.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self.pads = Gamepads()
        changes, self.warning = load_changes()
        self._writer = NewestWriter[Changes](changes_file(changes).save, what=WHAT)
        self.bindings = KeyBindings(changes, identify=self.pads.identity_of, save=self._writer.write)
        self.devices = DeviceHub(self.pads, self.bindings, clock=clock)
        self._held: dict[tuple[Device, str], float] = {}  # held source → when it repeats; never: not timed yet
        self._stuck: set[tuple[Device, str]] = set()  # halves of axes that must return before they count
        self._seen: set[tuple[Device, str]] = set()  # axes of unknown pads that moved
        self._controls: dict[tuple[Device, str], HeldControls] = {}  # by (device, "menu" or "")
        self._shift = False
        self._finger = Finger()
        self._mouse_at = (0, 0)
        self._mouse_rests = False  # keys or a gamepad were used since it moved
        self.finger_scrolls = True  # False: a finger is a mouse, as in a match
        self.text_entry = False  # True: printing keys are text, and step through no menu
        self._dead_zone, self._curve = 0.2, 1.0  # see shaped; the defaults are settings

    def tune(self, *, dead_zone: float, curve: float, opposites: str) -> None:
        """Set the response of sticks, and the meaning of two opposite directions."""
        self._dead_zone, self._curve, self.devices.opposites = dead_zone, curve, opposites

    def clear(self) -> None:
        """Release everything held; it must be released and pressed again to count."""
        self.devices.clear()
        self._stuck.update(key for key in self._held if sources.is_half(key[1]))
        self._held.clear()
        for held in self._controls.values():
            held.clear()

    def close(self) -> None:
        """Save the changes, and close pads and keyboards; can be called twice."""
        self._writer.flush()
        sources.forget_labels()
        self.devices.close()
        self.pads.close()

    def keyboard_events(self) -> Iterator[InputEvent]:
        """Yield the events of separate keyboards, which pygame cannot tell apart."""
        keyboards = self.devices.keyboards
        for device, key, pressed in keyboards.changes():
            yield from self._update(device, key, pressed=pressed)
        for device, is_connected in keyboards.connections():
            yield events.DeviceAdded(device) if is_connected else events.DeviceRemoved(device)

    def translate(self, event: Any) -> Iterator[InputEvent]:
        """Yield the input events of a pygame event, if any."""
        match event.type:
            case pygame.TEXTINPUT:
                yield events.TextInput(event.text)
            case pygame.MOUSEMOTION if self._is_finger(event):
                yield from self._finger.move(event.pos)
            case pygame.MOUSEMOTION:
                if not self._is_still(event.pos):
                    yield events.PointerInput("move", event.pos)
            case pygame.MOUSEWHEEL:
                yield events.PointerInput("wheel", pygame.mouse.get_pos(), wheel=event.y)
            case pygame.QUIT:
                yield events.QuitAsked()
            case kind if kind in self._HANDLERS:
                yield from self._HANDLERS[kind](self, event)

    def repeat(self, now: float) -> Iterator[InputEvent]:
        """Yield the repeats due at `now` (seconds), at most one for each held source."""
        for (device, source), due in list(self._held.items()):
            if due == _NEVER:
                self._held[device, source] = now + REPEAT_DELAY
            elif now >= due:
                self._held[device, source] = now + REPEAT_EVERY
                yield from self._meanings(device, source, pressed=True, repeated=True)

    def _update(self, device: Device, source: str, *, pressed: bool) -> Iterator[InputEvent]:
        """Yield the input events of a key or button that is down or up; none without a change."""
        key = (device, source)
        (self.devices.down.add if pressed else self.devices.down.discard)(key)
        if pressed:
            self.devices.pressed_at = self.devices.clock()
        if pressed == (key in self._held):
            return
        if pressed:
            self._mouse_rests = True
            self._held[key] = _NEVER
        else:
            del self._held[key]
        yield from self._meanings(device, source, pressed=pressed)

    def _key(self, event: Any) -> Iterator[InputEvent]:
        pressed = event.type == pygame.KEYDOWN
        self._shift = bool(getattr(event, "mod", 0) & pygame.KMOD_SHIFT)
        yield events.KeyInput(pygame.key.name(event.key), pressed)
        key = sources.key_of(event)
        if pressed and getattr(event, "scancode", 0):
            sources.learn_label(key, pygame.key.name(event.key))
        if key:
            yield from self._update(WHOLE_KEYBOARD, key, pressed=pressed)

    def _is_finger(self, event: Any) -> bool:
        return self.finger_scrolls and getattr(event, "touch", False)

    def _is_still(self, pos: tuple[int, int]) -> bool:
        """Whether a move is none that a person made on purpose: menus follow keys until the mouse really moves."""
        dx, dy = pos[0] - self._mouse_at[0], pos[1] - self._mouse_at[1]
        if self._mouse_rests and max(abs(dx), abs(dy)) < JITTER:
            return True
        self._mouse_at, self._mouse_rests = pos, False
        return False

    def _button(self, event: Any) -> Iterator[InputEvent]:
        if self._is_finger(event):
            does = self._finger.press if event.type == pygame.MOUSEBUTTONDOWN else self._finger.release
            yield from does(event.pos)
            return
        self._mouse_at, self._mouse_rests = event.pos, False
        if event.button <= 3:  # 4 and 5 are the wheel, which comes as its own event
            kind = "press" if event.type == pygame.MOUSEBUTTONDOWN else "release"
            yield events.PointerInput(kind, event.pos, button=event.button)  # type: ignore[arg-type]

    def _pad_added(self, event: Any) -> Iterator[InputEvent]:
        if (device := self.pads.add(event.device_index)) is not None:
            yield events.DeviceAdded(device)

    def _pad_removed(self, event: Any) -> Iterator[InputEvent]:
        if (device := self.pads.remove(event.instance_id)) is not None:
            yield from self._release(device)
            yield events.DeviceRemoved(device)

    def _pad_button(self, event: Any) -> Iterator[InputEvent]:
        named = event.type in (pygame.CONTROLLERBUTTONDOWN, pygame.CONTROLLERBUTTONUP)
        names = sources.PAD_BUTTONS if named else sources.RAW_BUTTONS
        if (device := self.pads.find(event.instance_id, named=named)) is not None:
            pressed = event.type in (pygame.CONTROLLERBUTTONDOWN, pygame.JOYBUTTONDOWN)
            yield from self._update(device, names.get(event.button, f"button {event.button + 1}"), pressed=pressed)

    def _pad_axis(self, event: Any) -> Iterator[InputEvent]:
        device, axis = self.pads.find(event.instance_id, named=True), sources.PAD_AXES.get(event.axis)
        if device is not None and axis is not None:
            yield from self._axis(device, axis, max(-1.0, event.value / 32767))

    def _raw_axis(self, event: Any) -> Iterator[InputEvent]:
        if (device := self.pads.find(event.instance_id, named=False)) is None:
            return
        axis = sources.RAW_AXES.get(event.axis, f"axis {event.axis + 1}")
        if axis.startswith("axis") and (device, axis) not in self._seen:
            self._seen.add((device, axis))  # perhaps a trigger, which rests at one end
            self._stuck.update({(device, axis + "-"), (device, axis + "+")})
        yield from self._axis(device, axis, event.value)

    def _raw_hat(self, event: Any) -> Iterator[InputEvent]:
        if (device := self.pads.find(event.instance_id, named=False)) is not None:
            for value, (low, high) in zip(event.value, _HAT_DIRECTIONS, strict=True):
                yield from self._update(device, low, pressed=value < 0)
                yield from self._update(device, high, pressed=value > 0)

    def _axis(self, device: Device, axis: str, value: float) -> Iterator[InputEvent]:
        yield events.AxisInput(device, axis, shaped(value, dead_zone=self._dead_zone, curve=self._curve))
        press = max(STICK_PRESS, self._dead_zone + 0.05)
        release = max(STICK_RELEASE, self._dead_zone)
        for half, reach in ((axis + "-", -value), (axis + "+", value)):
            key = (device, half)
            was_out = key in self._stuck or key in self._held
            out = reach > (release if was_out else press)
            if not out:
                self._stuck.discard(key)
            yield from self._update(device, half, pressed=out and key not in self._stuck)
            if out:
                self.devices.down.add(key)

    def _focus_lost(self, _event: Any) -> Iterator[InputEvent]:
        for device in {device for device, _ in self._held}:
            yield from self._release(device)
        self.devices.down.clear()
        yield events.FocusLost()

    def _release(self, device: Device) -> Iterator[InputEvent]:
        for _, source in [key for key in self._held if key[0] == device]:
            yield from self._update(device, source, pressed=False)
        self.devices.down = {key for key in self.devices.down if key[0] != device}
        if device.kind == "gamepad":
            yield from (events.AxisInput(device, axis, 0.0) for axis in sources.PAD_AXES.values())

    def _meanings(self, device: Device, source: str, *, pressed: bool, repeated: bool = False) -> Iterator[InputEvent]:
        yield events.SourceInput(device, source, pressed, repeated)
        keyboard = device.kind == "keyboard"
        if keyboard and (device.slot or (pressed and self.text_entry and sources.prints(source))):
            return
        own = self.bindings.half_of(source) if keyboard else device
        held = self._held_controls(own, "", self.bindings.of(own.word, guid=own.identity))
        for control, down in held.update(source, pressed, repeated=repeated):
            yield events.ControlInput(own, control, down, repeated)
        held = self._held_controls(own, "menu", self.bindings.menu(own.kind))
        for action, down in held.update(source, pressed, repeated=repeated):
            if down:
                back = action == "next" and keyboard and self._shift
                yield events.MenuInput("previous" if back else action, own, repeated, source)  # type: ignore[arg-type]
            else:
                yield events.MenuRelease(action, own)  # type: ignore[arg-type]

    def _held_controls(self, device: Device, kind: str, bindings: DeviceBindings) -> HeldControls:
        found = self._controls.get((device, kind))
        if found is None or found.bindings is not bindings:
            found = self._controls[device, kind] = HeldControls(bindings)
        return found

    _HANDLERS: dict[int, Callable[[WindowInput, Any], Iterator[InputEvent]]] = {  # noqa: RUF012
        pygame.KEYDOWN: _key, pygame.KEYUP: _key,
        pygame.MOUSEBUTTONDOWN: _button, pygame.MOUSEBUTTONUP: _button,
        pygame.JOYDEVICEADDED: _pad_added, pygame.JOYDEVICEREMOVED: _pad_removed,
        pygame.CONTROLLERBUTTONDOWN: _pad_button, pygame.CONTROLLERBUTTONUP: _pad_button,
        pygame.CONTROLLERAXISMOTION: _pad_axis,
        pygame.JOYBUTTONDOWN: _pad_button, pygame.JOYBUTTONUP: _pad_button,
        pygame.JOYAXISMOTION: _raw_axis, pygame.JOYHATMOTION: _raw_hat,
        pygame.WINDOWFOCUSLOST: _focus_lost,
    }  # fmt: skip


def shaped(value: float, *, dead_zone: float, curve: float) -> float:
    """Return a stick's position in [-1, 1] after the dead zone of its axis and the response curve."""
    if abs(value) <= dead_zone:
        return 0.0
    reach: float = min(1.0, (abs(value) - dead_zone) / (1.0 - dead_zone)) ** curve
    return reach if value > 0 else -reach
