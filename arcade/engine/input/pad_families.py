"""The families of gamepads, whose buttons have different names and colours."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from arcade.engine.input.events import Device
from arcade.engine.input.sources import source_label
from arcade.language import N_, _

Family = Literal["xbox", "playstation", "nintendo", "keyboard"]

_VENDORS: Mapping[str, Family] = {"045e": "xbox", "054c": "playstation", "057e": "nintendo"}  # by USB vendor id
_WORDS: Mapping[str, Family] = {
    "nintendo": "nintendo", "switch": "nintendo", "joy-con": "nintendo", "wii": "nintendo",
    "playstation": "playstation", "dualshock": "playstation", "dualsense": "playstation", "ps3": "playstation",
    "ps4": "playstation", "ps5": "playstation", "sony": "playstation",
}  # fmt: skip

# By SDL's names; every other button of a family, and of unknown pads, is called as on an Xbox pad.
_NAMES: Mapping[Family, Mapping[str, str]] = {
    "xbox": {
        "a": "A", "b": "B", "x": "X", "y": "Y", "l": "LB", "r": "RB", "lt+": "LT", "rt+": "RT",
    },
    "playstation": {
        "a": N_("Cross"), "b": N_("Circle"), "x": N_("Square"), "y": N_("Triangle"), "l": "L1", "r": "R1",
        "lt+": "L2", "rt+": "R2", "start": N_("Options"), "select": N_("Create"),
    },
    "nintendo": {
        "a": "A", "b": "B", "x": "X", "y": "Y", "l": "L", "r": "R", "lt+": "ZL", "rt+": "ZR", "start": "+",
        "select": "−",
    },
    "keyboard": {},
}  # fmt: skip
_SWAPPED = {"a": "b", "b": "a", "x": "y", "y": "x"}


def family_of(device: Device) -> Family:
    """Return the family of a device: by a pad's vendor, else by its name, else Xbox.

    >>> family_of(Device("gamepad", name="PS5 Controller"))
    'playstation'
    """
    if device.kind != "gamepad":
        return "keyboard"
    vendor = device.guid[10:12] + device.guid[8:10]  # https://wiki.libsdl.org/SDL2/SDL_JoystickGUID: low byte first
    if vendor in _VENDORS:
        return _VENDORS[vendor]
    return next((family for word, family in _WORDS.items() if word in device.name.lower()), "xbox")


def button_name(family: Family, source: str, pad: Device | None = None) -> str:
    """Return what is printed on a button of `pad`, shown as one of `family`: "A", "Cross", "LB"."""
    if family == "nintendo" and not _has_own_letters(pad):
        source = _SWAPPED.get(source, source)
    name = _NAMES[family].get(source, "")
    return (_(name) if len(name) > 2 else name) or source_label("gamepad", source)


def _has_own_letters(pad: Device | None) -> bool:
    """Whether SDL names the pad's buttons by their letters: it does so for Nintendo's, all others by their places."""
    by_letters = os.environ.get("SDL_GAMECONTROLLER_USE_BUTTON_LABELS", "1") != "0"
    return by_letters and pad is not None and family_of(pad) == "nintendo"
