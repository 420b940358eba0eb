"""Input events as small values: scenes and controllers never see a pygame event."""

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
    instance: int = -1  # SDL's id of this plugging-in; -1 for others
    twin: int = 1  # which of the pads of one model it is

    @property
    def word(self) -> str:
        """The seat word that names it, as in ``keyboard:wasd`` or ``gamepad:0``."""
        return f"{self.kind}:{self.slot}" if self.slot else self.kind

    @property
    def identity(self) -> str:
        """A pad's identity in key bindings, the same whenever it is plugged in; "" for others."""
        return f"{self.guid}#{self.twin}" if self.guid else ""


MOUSE = Device("mouse", name="Mouse")


@dataclass(frozen=True, slots=True)
class MenuInput:
    """A step through menus; `device` made it.  Directions repeat while they are held."""

    action: MenuAction
    device: Device
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class MenuRelease:
    """What a MenuInput began ends: nothing holds it down any more."""

    action: MenuAction
    device: Device


@dataclass(frozen=True, slots=True)
class PointerInput:
    """The mouse, in canvas coordinates; a wheel turn has `wheel` > 0 away from the user."""

    kind: Literal["move", "press", "release", "wheel"]
    pos: Point
    button: int = 0  # 1 left, 2 middle, 3 right; 0 where no button is meant
    wheel: int = 0


@dataclass(frozen=True, slots=True)
class TextInput:
    """Characters typed, as the user's keyboard layout has them."""

    text: str


@dataclass(frozen=True, slots=True)
class KeyInput:
    """Any key going down or up: `name` as pygame names it ("a", "backspace", "f1")."""

    name: str
    pressed: bool
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class SourceInput:
    """A key or button goes down or up, before key bindings give it a meaning; `sources` has the names.

    The keyboard is one device here, without halves.  A stick's way counts as pressed from half of it on.
    """

    device: Device
    source: str
    pressed: bool
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class ControlInput:
    """A control of a device goes down or up: up, down, left, right, a, b, x, y, l, r, or half a stick's way, "x-" …

    Scenes get the device's own bindings; a controller those of its game and seat.
    """

    device: Device
    control: str
    pressed: bool
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class AxisInput:
    """A stick or trigger moved: `axis` x, y, rx, ry in [-1, 1] (right and down positive), lt, rt in [0, 1].

    A pad that SDL does not know has more of them, as in "axis 2".
    """

    device: Device
    axis: str
    value: float  # dead zone already taken out, curve put in


@dataclass(frozen=True, slots=True)
class DeviceAdded:
    """A gamepad was plugged in (one that was there at start is announced too)."""

    device: Device


@dataclass(frozen=True, slots=True)
class DeviceRemoved:
    """A gamepad was pulled out or its battery died."""

    device: Device


@dataclass(frozen=True, slots=True)
class FocusLost:
    """The window no longer hears the keyboard; all that was held counts as released."""


@dataclass(frozen=True, slots=True)
class FocusGained:
    """The window hears the keyboard again."""


@dataclass(frozen=True, slots=True)
class QuitAsked:
    """The window's close button; the loop stops unless the scene's `handle` returns True."""


InputEvent = (
    MenuInput
    | MenuRelease
    | PointerInput
    | TextInput
    | KeyInput
    | SourceInput
    | ControlInput
    | AxisInput
    | DeviceAdded
    | DeviceRemoved
    | FocusLost
    | FocusGained
    | QuitAsked
)
