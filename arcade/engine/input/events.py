"""Input events: the small values that scenes and controllers get instead of pygame's events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class MenuInput:
    """A step through menus.  Held directions repeat."""

    action: MenuAction
    device: Device
    repeated: bool = False

    @property
    def is_accept(self) -> bool:
        """Whether it is a fresh press of accept."""
        return self.action == "accept" and not self.repeated


@dataclass(frozen=True, slots=True)
class MenuRelease:
    """The end of a MenuInput: no source holds it any more."""

    action: MenuAction
    device: Device


@dataclass(frozen=True, slots=True)
class PointerInput:
    """The mouse, in canvas coordinates; a wheel turn has `wheel` > 0 away from the user."""

    kind: Literal["move", "press", "release", "wheel"]
    pos: Point
    button: int = 0  # 1 left, 2 middle, 3 right; 0 none
    wheel: int = 0

    @property
    def is_click(self) -> bool:
        """Whether it is a press of the left button."""
        return self.kind == "press" and self.button == 1


@dataclass(frozen=True, slots=True)
class TextInput:
    """Typed characters, by the user's keyboard layout."""

    text: str


@dataclass(frozen=True, slots=True)
class KeyInput:
    """Any key going down or up: `name` as pygame names it ("a", "backspace", "f1")."""

    name: str
    pressed: bool
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class SourceInput:
    """A key or button, by its name in `sources`, goes down or up; a stick counts as pressed from half its way.

    The keyboard is one device here, without halves.
    """

    device: Device
    source: str
    pressed: bool
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class ControlInput:
    """A control goes down or up: up, down, left, right, a, b, x, y, l, r, or half of an axis, "x-" …

    Scenes hear the device's own key bindings, controllers those of their game and seat.
    """

    device: Device
    control: str
    pressed: bool
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class AxisInput:
    """A stick or trigger moved: `axis` x, y, rx, ry in [-1, 1] (right and down positive), lt, rt in [0, 1].

    A pad unknown to SDL has further axes: "axis 2".
    """

    device: Device
    axis: str
    value: float  # after dead zone and curve


@dataclass(frozen=True, slots=True)
class DeviceAdded:
    """A gamepad was connected, or found at start."""

    device: Device


@dataclass(frozen=True, slots=True)
class DeviceRemoved:
    """A gamepad was disconnected."""

    device: Device


@dataclass(frozen=True, slots=True)
class FocusLost:
    """The window lost the keyboard; everything held counts as released."""


@dataclass(frozen=True, slots=True)
class FocusGained:
    """The window has the keyboard again."""


@dataclass(frozen=True, slots=True)
class QuitAsked:
    """The window's close button was pressed; the loop ends unless the scene's `handle` returns True."""


InputEvent = (
    MenuInput | MenuRelease | PointerInput | TextInput | KeyInput | SourceInput | ControlInput | AxisInput
    | DeviceAdded | DeviceRemoved | FocusLost | FocusGained | QuitAsked
)  # fmt: skip
