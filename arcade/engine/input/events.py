"""Input events: the dataclasses that scenes and controllers receive instead of pygame's events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, dataclass_transform

MenuAction = Literal["up", "down", "left", "right", "accept", "back", "start", "next", "previous", "switch"]
DeviceKind = Literal["keyboard", "gamepad", "mouse"]
Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Device:
    """An input device of one person: a half of the keyboard, a gamepad, the mouse."""

    kind: DeviceKind
    slot: str = ""  # "wasd", "arrows", "ijkl"; a keyboard's number from 1; a pad's from 0, kept while it is unplugged
    name: str = ""  # for people, as in "Xbox 360 Controller"
    guid: str = ""  # SDL's id of the pad's model; "" for others
    instance: int = -1  # SDL's id of the connection; -1 for others
    twin: int = 1  # number among pads of one model

    @property
    def word(self) -> str:
        """The device in the seat grammar: ``keyboard:wasd``, ``gamepad:0``."""
        return f"{self.kind}:{self.slot}" if self.slot else self.kind

    @property
    def identity(self) -> str:
        """A pad's permanent identity in key bindings; "" for others."""
        return f"{self.guid}#{self.twin}" if self.guid else ""


MOUSE = Device("mouse", name="Mouse")


@dataclass_transform(frozen_default=True)
class InputEvent:
    """The base of all input events, frozen dataclasses."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class MenuInput(InputEvent):
    """A step through a menu; held directions repeat."""

    action: MenuAction
    device: Device
    repeated: bool = False
    source: str = ""  # the key or button, by its name in `sources`

    @property
    def is_accept(self) -> bool:
        """Whether it is a fresh press of accept."""
        return self.action == "accept" and not self.repeated


class MenuRelease(InputEvent):
    """The end of a MenuInput: all its sources are released."""

    action: MenuAction
    device: Device


class PointerInput(InputEvent):
    """The mouse or a finger, in canvas coordinates.

    A wheel turn has `wheel` > 0 away from the user; a finger scrolls by `pixels`, > 0 downwards.
    """

    kind: Literal["move", "press", "release", "wheel", "scroll"]
    pos: Point
    button: int = 0  # 1 left, 2 middle, 3 right; 0 none
    wheel: int = 0
    pixels: int = 0

    @property
    def is_click(self) -> bool:
        """Whether it is a press of the left button."""
        return self.kind == "press" and self.button == 1


class TextInput(InputEvent):
    """Typed characters, by the user's keyboard layout."""

    text: str


class KeyInput(InputEvent):
    """A key goes down or up, named by its label ("a", "backspace", "f1"): for the arcade's own keys and for text."""

    name: str
    pressed: bool


class SourceInput(InputEvent):
    """A key or button, by its name in `sources`, goes down or up; a stick counts as pressed from half its way.

    The keyboard is one device here, without halves.
    """

    device: Device
    source: str
    pressed: bool
    repeated: bool = False


class ControlInput(InputEvent):
    """A control goes down or up: up, down, left, right, a, b, x, y, l, r, or half of an axis, "x-" …

    For scenes by the bindings of the device, for controllers by those of their game and seat.
    """

    device: Device
    control: str
    pressed: bool
    repeated: bool = False


class AxisInput(InputEvent):
    """A stick or trigger moved: `axis` x, y, rx, ry in [-1, 1] (right and down positive), lt, rt in [0, 1].

    A pad unknown to SDL has further axes: "axis 2".
    """

    device: Device
    axis: str
    value: float  # after dead zone and curve


class DeviceAdded(InputEvent):
    """A gamepad was connected, or found at start."""

    device: Device


class DeviceRemoved(InputEvent):
    """A gamepad was disconnected."""

    device: Device


class FocusLost(InputEvent):
    """The window lost the keyboard; everything held counts as released."""


class QuitAsked(InputEvent):
    """The window's close button was pressed; the loop ends unless the scene's `handle` returns True."""
