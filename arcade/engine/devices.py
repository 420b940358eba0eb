"""DeviceHub: what each device sends goes to the controllers that play with it, and to no other."""

from __future__ import annotations

from typing import Protocol

from arcade.engine.bindings import KEYBOARD
from arcade.engine.events import AxisInput, ControlInput, Device, FocusLost, InputEvent
from arcade.engine.gamepads import Gamepads


class DeviceListener(Protocol):
    """A controller that plays with a device."""

    def on_control(self, event: ControlInput) -> None:
        """A control of its device went down or up."""

    def on_axis(self, axis: str, value: float) -> None:
        """A stick of its device moved."""

    def on_clear(self) -> None:
        """Everything held counts as released, everything pressed and not yet played is forgotten."""


class DeviceHub:
    """Hands input to listeners by the word they subscribed with.

    ``keyboard:wasd`` is one half and may be shared; ``keyboard`` is every half that nobody named, dealt out in
    turn where several seats asked for it; ``gamepad:0`` is the pad with that number, also after it was unplugged
    and came back.
    """

    def __init__(self, pads: Gamepads) -> None:
        self._pads = pads
        self._listeners: list[tuple[DeviceListener, str]] = []
        self._axes: dict[tuple[str, str], float] = {}  # (word, axis) → where it stands

    @property
    def pads(self) -> tuple[Device, ...]:
        """The pads plugged in now, by number."""
        return self._pads.present

    def subscribe(self, listener: DeviceListener, word: str) -> None:
        """From now on `listener` hears the device named `word`."""
        self._listeners.append((listener, word))
        for (device, axis), value in self._axes.items():
            if device == word:
                listener.on_axis(axis, value)

    def unsubscribe(self, listener: DeviceListener) -> None:
        """It hears nothing more; no harm when it heard nothing."""
        self._listeners = [(other, word) for other, word in self._listeners if other is not listener]

    def taken(self) -> frozenset[str]:
        """The words that somebody plays with."""
        return frozenset(word for _, word in self._listeners)

    def find_pad(self, number: str = "") -> Device | None:
        """The plugged-in pad with that number; without one, the first that nobody plays with."""
        if number:
            return next((pad for pad in self.pads if pad.slot == str(int(number))), None)
        taken = self.taken()
        return next((pad for pad in self.pads if pad.word not in taken), None)

    def feed(self, event: InputEvent) -> None:
        """Hand on an event; those that no controller cares for are dropped."""
        if isinstance(event, ControlInput):
            for listener in self.hearing(event.device):
                listener.on_control(event)
        elif isinstance(event, AxisInput):
            self._axes[event.device.word, event.axis] = event.value
            for listener in self.hearing(event.device):
                listener.on_axis(event.axis, event.value)
        elif isinstance(event, FocusLost):
            self._axes.clear()
            self.clear()

    def clear(self) -> None:
        """Let go of all that is held: the scene changed, the game paused, the window lost the keyboard.

        Sticks keep their place, except when the window lost the keyboard.
        """
        for listener, word in self._listeners:
            listener.on_clear()
            for (device, axis), value in self._axes.items():
                if device == word:
                    listener.on_axis(axis, value)

    def close(self) -> None:
        """Forget every listener."""
        self._listeners.clear()

    def hearing(self, device: Device) -> list[DeviceListener]:
        """Who plays with `device`."""
        named = [listener for listener, word in self._listeners if word == device.word]
        if named or device.kind != "keyboard":
            return named
        bare = [listener for listener, word in self._listeners if word == "keyboard"]
        taken = self.taken()
        unnamed = [half.word for half in KEYBOARD.values() if half.word not in taken]
        return [bare[unnamed.index(device.word) % len(bare)]] if bare else []
