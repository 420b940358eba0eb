"""Which keys and buttons mean what: three halves of a keyboard, SDL's named buttons, menus.

Keys are known by where they lie (SDL scancodes), so WASD is the same four keys on every layout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pygame

from arcade.engine.events import Device, MenuAction

Control = str
"""up, down, left, right, then a (the main action), b, x, y, l, r, start, select."""

DIRECTIONS = ("up", "down", "left", "right")
OPPOSITE: Mapping[Control, Control] = {"up": "down", "down": "up", "left": "right", "right": "left"}

KEYBOARD: Mapping[str, Device] = {
    "wasd": Device("keyboard", slot="wasd", name="WASD + Space, Shift"),
    "arrows": Device("keyboard", slot="arrows", name="Arrows + Enter, right Shift"),
    "ijkl": Device("keyboard", slot="ijkl", name="IJKL + U, O"),
}

# half → control → keys, by the name of pygame's K_ and KSCAN_ constants
_HALVES: Mapping[str, Mapping[Control, tuple[str, ...]]] = {
    "wasd": {"up": ("w",), "left": ("a",), "down": ("s",), "right": ("d",), "a": ("SPACE",), "b": ("LSHIFT",)},
    "arrows": {
        "up": ("UP",),
        "left": ("LEFT",),
        "down": ("DOWN",),
        "right": ("RIGHT",),
        "a": ("RETURN", "KP_ENTER", "RCTRL"),
        "b": ("RSHIFT",),
    },
    "ijkl": {
        "up": ("i",),
        "left": ("j",),
        "down": ("k",),
        "right": ("l",),
        "a": ("u", "SEMICOLON"),
        "b": ("o", "QUOTE"),
    },
}

_SCAN_NAMES = {"QUOTE": "APOSTROPHE"}  # where the two sets of names differ


def _scancode(name: str) -> int:
    return int(getattr(pygame, "KSCAN_" + _SCAN_NAMES.get(name, name).upper()))


KEY_BY_SCANCODE: Mapping[int, tuple[str, Control]] = {
    _scancode(name): (half, control)
    for half, controls in _HALVES.items()
    for control, names in controls.items()
    for name in names
}
"""SDL scancode → (half, control)."""

SCANCODE_BY_KEY: Mapping[int, int] = {
    getattr(pygame, "K_" + name): _scancode(name)
    for controls in _HALVES.values()
    for names in controls.values()
    for name in names
}
"""For key events that carry no scancode, such as made-up ones."""

MENU_KEYS: Mapping[int, tuple[MenuAction, str]] = {
    pygame.K_ESCAPE: ("back", "arrows"),
    pygame.K_BACKSPACE: ("back", "arrows"),
    pygame.K_TAB: ("next", "arrows"),
    pygame.K_PAGEDOWN: ("next", "arrows"),
    pygame.K_PAGEUP: ("previous", "arrows"),
    pygame.K_p: ("start", "arrows"),
}
"""Keys that mean something in menus and nothing in a game; Tab with Shift is `previous`."""

MENU_CONTROLS: Mapping[Control, MenuAction] = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "a": "accept",
    "b": "back",
    "start": "start",
    "select": "back",
    "l": "previous",
    "r": "next",
}
"""What a device's control does in menus; a keyboard half's b is left out, its Shift would surprise."""

PAD_BUTTONS: Mapping[int, Control] = {
    pygame.CONTROLLER_BUTTON_A: "a",
    pygame.CONTROLLER_BUTTON_B: "b",
    pygame.CONTROLLER_BUTTON_X: "x",
    pygame.CONTROLLER_BUTTON_Y: "y",
    pygame.CONTROLLER_BUTTON_BACK: "select",
    pygame.CONTROLLER_BUTTON_START: "start",
    pygame.CONTROLLER_BUTTON_LEFTSHOULDER: "l",
    pygame.CONTROLLER_BUTTON_RIGHTSHOULDER: "r",
    pygame.CONTROLLER_BUTTON_DPAD_UP: "up",
    pygame.CONTROLLER_BUTTON_DPAD_DOWN: "down",
    pygame.CONTROLLER_BUTTON_DPAD_LEFT: "left",
    pygame.CONTROLLER_BUTTON_DPAD_RIGHT: "right",
}
PAD_AXES: Mapping[int, str] = {
    pygame.CONTROLLER_AXIS_LEFTX: "x",
    pygame.CONTROLLER_AXIS_LEFTY: "y",
    pygame.CONTROLLER_AXIS_RIGHTX: "rx",
    pygame.CONTROLLER_AXIS_RIGHTY: "ry",
    pygame.CONTROLLER_AXIS_TRIGGERLEFT: "lt",
    pygame.CONTROLLER_AXIS_TRIGGERRIGHT: "rt",
}

# A pad that SDL's database does not know: the order most of them use.
RAW_BUTTONS: Mapping[int, Control] = dict(enumerate(("a", "b", "x", "y", "l", "r", "select", "start")))
RAW_AXES: Mapping[int, str] = {0: "x", 1: "y"}

DEAD_ZONE = 0.2  # of full deflection; worn sticks rest up to a tenth off centre
STICK_PRESS, STICK_RELEASE = 0.5, 0.35  # where a stick starts and stops to count as a direction


def half_of(event: Any) -> tuple[str, Control] | None:
    """The keyboard half and control that a pygame key event belongs to, or None."""
    scancode = getattr(event, "scancode", 0) or SCANCODE_BY_KEY.get(event.key, 0)
    return KEY_BY_SCANCODE.get(scancode)


def without_dead_zone(value: float) -> float:
    """A stick's place in [-1, 1] with its middle cut out and the rest stretched, so that it still starts at 0."""
    if abs(value) <= DEAD_ZONE:
        return 0.0
    reach = min(1.0, (abs(value) - DEAD_ZONE) / (1.0 - DEAD_ZONE))
    return reach if value > 0 else -reach
