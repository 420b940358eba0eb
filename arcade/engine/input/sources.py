"""Sources: the names of keys, buttons and halves of axes, the same on every keyboard layout and connection.

Keys are named by position: pygame's KSCAN_ constants in lower case ("w", "space", "lshift", "kp_enter").  Gamepads have
SDL's button names ("a", "leftstick"), "button 9" for an unknown pad, and halves of axes: "x-" is left stick left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pygame

KEYS: Mapping[int, str] = {
    getattr(pygame, name): name[6:].lower()
    for name in sorted(dir(pygame), key=len, reverse=True)  # of two names for one key the shorter
    if name.startswith("KSCAN_") and name != "KSCAN_UNKNOWN"
}
_SCANCODES = {name: code for code, name in KEYS.items()}
_OTHER_NAMES = {"QUOTE": "APOSTROPHE", "BACKQUOTE": "GRAVE"}  # where K_ and KSCAN_ differ
_BY_KEY = {
    getattr(pygame, name): KEYS[scancode]
    for name in dir(pygame)
    if name.startswith("K_")
    and (scancode := getattr(pygame, "KSCAN_" + _OTHER_NAMES.get(name[2:], name[2:]).upper(), 0))
}

# By SDL's numbers of buttons and axes.
_BUTTONS = "a b x y select guide start leftstick rightstick l r up down left right"
PAD_BUTTONS: Mapping[int, str] = dict(enumerate(_BUTTONS.split()))
PAD_AXES: Mapping[int, str] = dict(enumerate(("x", "y", "rx", "ry", "lt", "rt")))

# The usual order of pads that SDL's database lacks; further buttons keep their numbers.
RAW_BUTTONS: Mapping[int, str] = dict(enumerate(("a", "b", "x", "y", "l", "r", "select", "start")))
RAW_AXES: Mapping[int, str] = {0: "x", 1: "y"}

_KEY_WORDS = {
    "return": "Enter", "kp_enter": "Keypad Enter", "lshift": "Left Shift", "rshift": "Right Shift",
    "lctrl": "Left Ctrl", "rctrl": "Right Ctrl", "lalt": "Left Alt", "ralt": "Right Alt", "escape": "Esc",
    "pageup": "Page Up", "pagedown": "Page Down", "capslock": "Caps Lock", "semicolon": ";", "apostrophe": "'",
    "comma": ",", "period": ".", "slash": "/", "backslash": "\\", "leftbracket": "[", "rightbracket": "]",
    "minus": "-", "equals": "=", "grave": "`", "kp_plus": "Keypad +", "kp_minus": "Keypad -",
    "kp_multiply": "Keypad *", "kp_divide": "Keypad /", "kp_period": "Keypad .", "nonusbackslash": "< >",
}  # fmt: skip
_SIDES = {"x-": "left", "x+": "right", "y-": "up", "y+": "down"}
_PAD_WORDS = {
    **{name: f"{name.upper()} button" for name in ("a", "b", "x", "y")},
    **{name: f"Cross {name}" for name in ("up", "down", "left", "right")},
    **{half: f"Stick {side}" for half, side in _SIDES.items()},
    **{f"r{half}": f"Right stick {side}" for half, side in _SIDES.items()},
    "l": "Left shoulder", "r": "Right shoulder", "lt+": "Left trigger", "rt+": "Right trigger", "start": "Start",
    "select": "Select", "guide": "Guide", "leftstick": "Left stick pressed", "rightstick": "Right stick pressed",
}  # fmt: skip


_labels: dict[str, str] = {}  # key → a different label on the user's keyboard


def learn_label(key: str, label: str) -> None:
    """Learn the label of a key from a press."""
    if len(label) == 1 and label.isprintable() and len(key) == 1 and key.isalpha() and label != key:
        _labels[key] = label.upper()


def forget_labels() -> None:
    """Forget the labels of the keys."""
    _labels.clear()


def key_of(event: Any) -> str:
    """Return the name of the key in a pygame key event; "" for an unknown one."""
    return KEYS.get(getattr(event, "scancode", 0), "") or _BY_KEY.get(event.key, "")


def is_key(name: str) -> bool:
    """Return whether `name` is a key."""
    return name in _SCANCODES


def is_pad_source(name: str) -> bool:
    """Return whether `name` is a button or half an axis of a gamepad."""
    return name in _PAD_WORDS or re.fullmatch(r"button \d+|axis \d+[+-]", name) is not None


def is_half(name: str) -> bool:
    """Return whether a source or control is half an axis, such as "x-"."""
    return len(name) > 1 and name[-1] in "+-"


def prints(key: str) -> bool:
    """Return whether the key edits text, and does nothing else during text entry."""
    return len(key) == 1 or key in ("space", "backspace") or len(_KEY_WORDS.get(key, "xxx")) == 1


def source_label(kind: str, name: str) -> str:
    """Return the name of a source on screens: "W", "Left Shift", "A button", "Stick left"."""
    if kind == "gamepad":
        return _PAD_WORDS.get(name, name.capitalize())
    if name in _labels:
        return _labels[name]
    if name in _KEY_WORDS:
        return _KEY_WORDS[name]
    if name.startswith("kp") and name[-1].isdecimal():
        return f"Keypad {name[-1]}"
    return name.upper() if len(name) <= 3 and name not in ("up", "tab", "end") else name.capitalize()
