"""Sources: the names of keys, buttons and halves of axes, the same on every keyboard layout and connection.

Keys are named by position: pygame's KSCAN_ constants in lower case ("w", "space", "lshift", "kp_enter").  Gamepads have
SDL's button names ("a", "leftstick"), "button 9" for an unknown pad, and halves of axes: "x-" is left stick left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pygame

from arcade.language import N_, _

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
    "return": N_("Enter"), "kp_enter": N_("Keypad Enter"), "lshift": N_("Left Shift"), "rshift": N_("Right Shift"),
    "lctrl": N_("Left Ctrl"), "rctrl": N_("Right Ctrl"), "lalt": N_("Left Alt"), "ralt": N_("Right Alt"),
    "escape": N_("Esc"), "pageup": N_("Page Up"), "pagedown": N_("Page Down"), "capslock": N_("Caps Lock"),
    "space": N_("Space"), "backspace": N_("Backspace"), "tab": N_("Tab"), "delete": N_("Delete"), "end": N_("End"),
    "home": N_("Home"), "insert": N_("Insert"), "up": N_("Up"), "down": N_("Down"), "left": N_("Left"),
    "right": N_("Right"), "semicolon": ";", "apostrophe": "'", "comma": ",", "period": ".", "slash": "/",
    "backslash": "\\", "leftbracket": "[", "rightbracket": "]", "minus": "-", "equals": "=", "grave": "`",
    "kp_plus": N_("Keypad +"), "kp_minus": N_("Keypad -"), "kp_multiply": N_("Keypad *"),
    "kp_divide": N_("Keypad /"), "kp_period": N_("Keypad ."), "nonusbackslash": "< >",
}  # fmt: skip
_PAD_WORDS = {
    "a": N_("A button"), "b": N_("B button"), "x": N_("X button"), "y": N_("Y button"), "up": N_("D-pad up"),
    "down": N_("D-pad down"), "left": N_("D-pad left"), "right": N_("D-pad right"), "x-": N_("Stick left"),
    "x+": N_("Stick right"), "y-": N_("Stick up"), "y+": N_("Stick down"), "rx-": N_("Right stick left"),
    "rx+": N_("Right stick right"), "ry-": N_("Right stick up"), "ry+": N_("Right stick down"),
    "l": N_("Left shoulder"), "r": N_("Right shoulder"), "lt+": N_("Left trigger"), "rt+": N_("Right trigger"),
    "start": N_("Start"), "select": N_("Select"), "guide": N_("Guide"), "leftstick": N_("Left stick pressed"),
    "rightstick": N_("Right stick pressed"),
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
        return _(_PAD_WORDS.get(name, "")) or name.capitalize()
    if name in _labels:
        return _labels[name]
    if name in _KEY_WORDS:
        return _(_KEY_WORDS[name]) if len(_KEY_WORDS[name]) > 1 else _KEY_WORDS[name]
    if name.startswith("kp") and name[-1].isdecimal():
        return _("Keypad {digit}").format(digit=name[-1])
    return name.upper() if len(name) <= 3 else name.capitalize()
