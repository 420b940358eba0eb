"""The default key bindings: halves of a keyboard, a whole keyboard, gamepads, menus."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.engine.input.events import Device

Control = str
"""up, down, left, right, then a (the main action), b, x, y, l, r, and halves of a stick's way, "x-", "x+" …"""

Sources = Mapping[Control, tuple[str, ...]]  # control → its sources, any one of which is enough

DIRECTIONS = ("up", "down", "left", "right")
OPPOSITE: Mapping[Control, Control] = {"up": "down", "down": "up", "left": "right", "right": "left"}

HALVES: Mapping[str, Sources] = {
    "wasd": {
        "up": ("w",), "down": ("s",), "left": ("a",), "right": ("d",), "a": ("space",), "b": ("lshift",),
        "x": ("q",), "y": ("e",), "l": ("z",), "r": ("c",),
    },
    "arrows": {
        "up": ("up",), "down": ("down",), "left": ("left",), "right": ("right",),
        "a": ("return", "kp_enter", "rctrl"), "b": ("rshift",),
        "x": ("slash", "kp0"), "y": ("rightbracket", "kp_period"), "l": ("delete", "kp1"), "r": ("end", "kp3"),
    },
    "ijkl": {
        "up": ("i",), "down": ("k",), "left": ("j",), "right": ("l",), "a": ("u", "semicolon"),
        "b": ("o", "apostrophe"), "x": ("y",), "y": ("h",), "l": ("m",), "r": ("period",),
    },
}  # fmt: skip

_STICKS = ("x-", "x+", "y-", "y+", "rx-", "rx+", "ry-", "ry+", "lt+", "rt+")
GAMEPAD: Sources = {
    "up": ("up", "y-"), "down": ("down", "y+"), "left": ("left", "x-"), "right": ("right", "x+"),
    **{button: (button,) for button in ("a", "b", "x", "y", "l", "r")},
    **{half: (half,) for half in _STICKS},
}  # fmt: skip
CONTROLS: Mapping[str, tuple[str, ...]] = {"keyboard": tuple(HALVES["wasd"]), "gamepad": tuple(GAMEPAD)}

MENUS: Mapping[str, Sources] = {
    "keyboard": {
        "up": ("up", "w", "i"), "down": ("down", "s", "k"), "left": ("left", "a", "j"), "right": ("right", "d", "l"),
        "accept": ("return", "kp_enter", "rctrl", "space", "u", "semicolon"), "back": ("escape", "backspace"),
        "next": ("tab", "pagedown"), "previous": ("pageup",), "start": ("p",), "switch": ("f2",),
    },
    "gamepad": {
        "up": ("up", "y-"), "down": ("down", "y+"), "left": ("left", "x-"), "right": ("right", "x+"),
        "accept": ("a",), "back": ("b",), "next": ("r",), "previous": ("l",), "start": ("start",),
        "switch": ("select",),
    },
}  # fmt: skip
"""Menu actions; `start`, and a keyboard's `back`, pause a match."""


def whole_keyboard(halves: Mapping[str, Sources] = HALVES) -> Sources:
    """Join all halves to one device."""
    controls = CONTROLS["keyboard"]
    return {control: tuple(key for half in halves.values() for key in half.get(control, ())) for control in controls}


KEYBOARD: Mapping[str, Device] = {
    "wasd": Device("keyboard", slot="wasd", name="WASD + Space, Shift"),
    "arrows": Device("keyboard", slot="arrows", name="Arrows + Enter, right Shift"),
    "ijkl": Device("keyboard", slot="ijkl", name="IJKL + U, O"),
}
WHOLE_KEYBOARD = Device("keyboard", name="Keyboard")
