"""The halves of a keyboard as devices, and how far a stick must go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arcade.engine.input.default_bindings import HALVES
from arcade.engine.input.events import Device
from arcade.engine.input.key_bindings import KeyBindings

Control = str
"""up, down, left, right, then a (the main action), b, x, y, l, r, and halves of a stick's way, "x-", "x+" …"""

DIRECTIONS = ("up", "down", "left", "right")
OPPOSITE: Mapping[Control, Control] = {"up": "down", "down": "up", "left": "right", "right": "left"}

KEYBOARD: Mapping[str, Device] = {
    "wasd": Device("keyboard", slot="wasd", name="WASD + Space, Shift"),
    "arrows": Device("keyboard", slot="arrows", name="Arrows + Enter, right Shift"),
    "ijkl": Device("keyboard", slot="ijkl", name="IJKL + U, O"),
}
_SPARE = "ijkl"
WHOLE_KEYBOARD = Device("keyboard", name="Keyboard")

STICK_PRESS, STICK_RELEASE = 0.5, 0.35  # where a stick starts and stops to count as pressed, outside its dead zone


def half_of(key: str, layouts: KeyBindings) -> Device:
    """The half of the keyboard that a key belongs to; the arrows' for keys that are nobody's."""
    now = (half for half in HALVES if layouts.of(f"keyboard:{half}").controls_of(key))
    usual = (half for half, controls in HALVES.items() if any(key in keys for keys in controls.values()))
    return KEYBOARD[next(now, next(usual, "arrows"))]


def deal_halves(words: Sequence[str]) -> list[list[str]]:
    """Which halves each ``keyboard`` of those `words` has that are played with: the ones that nobody named, in turn.

    The last half is dealt out only where there are too few others: with it another person can sit down.
    """
    bare = sum(word == "keyboard" for word in words)
    unnamed = [half for half, device in KEYBOARD.items() if device.word not in words]
    if len(unnamed) > max(1, bare) and _SPARE in unnamed:
        unnamed.remove(_SPARE)
    return [unnamed[place::bare] for place in range(bare)]


def shaped(value: float, *, dead_zone: float, curve: float) -> float:
    """A stick's place in [-1, 1] with its middle cut out and the rest stretched and bent: it still starts at 0.

    Each axis has a dead zone of its own: a push to the side then leaves the other axis at rest.
    """
    if abs(value) <= dead_zone:
        return 0.0
    reach: float = min(1.0, (abs(value) - dead_zone) / (1.0 - dead_zone)) ** curve
    return reach if value > 0 else -reach
