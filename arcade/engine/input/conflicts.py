"""Conflicts between key bindings: one key with two meanings, or a control without a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arcade.engine.input.default_bindings import CONTROLS, HALVES, KEYBOARD
from arcade.engine.input.key_bindings import DeviceBindings, KeyBindings
from arcade.engine.input.sources import is_half, source_words

CONTROL_WORDS: Mapping[str, str] = {
    "up": "Up", "down": "Down", "left": "Left", "right": "Right", "a": "Main action (A)", "b": "Second action (B)",
    "x": "Third action (X)", "y": "Fourth action (Y)", "l": "Left shoulder (L)", "r": "Right shoulder (R)",
    "x-": "Stick left", "x+": "Stick right", "y-": "Stick up", "y+": "Stick down",
    "rx-": "Right stick left", "rx+": "Right stick right", "ry-": "Right stick up", "ry+": "Right stick down",
    "lt+": "Left trigger", "rt+": "Right trigger",
    "accept": "Choose", "back": "Back", "next": "Next page", "previous": "Page before", "start": "Pause and start",
    "switch": "Take or give a seat",
}  # fmt: skip

# Menu actions during a match; there a gamepad's `back` belongs to the game.
_IN_A_MATCH = {"start": "pauses the match", "back": "pauses the match", "switch": "takes or gives a seat"}
_FUNCTION_KEYS = frozenset(f"f{number}" for number in range(1, 13))


def conflicts(bindings: KeyBindings, word: str, *, game: str = "", agent: str = "", guid: str = "") -> tuple[str, ...]:
    """Return a sentence for each conflict in the bindings of the device `word` in a seat."""
    own = bindings.of(word, game=game, agent=agent, guid=guid)
    found = [*_missing(own), *_twice(own), *_menus(bindings, own)]
    half = word.partition(":")[2]
    if half in HALVES:
        for other in HALVES:
            if other != half:
                found += _shared(own, bindings.of(f"keyboard:{other}", game=game), other)
    return tuple(dict.fromkeys(found))


def taken_by(own: DeviceBindings, source: str, control: str) -> tuple[str, ...]:
    """Return the other controls of `source`; a stick may be an axis and a direction."""
    return tuple(other for other in own.controls_of(source) if other != control and is_half(other) == is_half(control))


def _missing(own: DeviceBindings) -> Iterator[str]:
    for control in CONTROLS[own.kind]:
        if not own.sources.get(control) and control in ("up", "down", "left", "right", "a"):
            yield f"Nothing does {CONTROL_WORDS[control]}"


def _twice(own: DeviceBindings) -> Iterator[str]:
    for control, sources in own.sources.items():
        for source in sources:
            for other in taken_by(own, source, control):
                both = sorted((control, other), key=list(own.sources).index)
                words = " and ".join(CONTROL_WORDS[one] for one in both)
                yield f"{_called(own, source)} does {words}"


def _menus(bindings: KeyBindings, own: DeviceBindings) -> Iterator[str]:
    menu = bindings.menu(own.kind)
    heard = {action: words for action, words in _IN_A_MATCH.items() if own.kind == "keyboard" or action != "back"}
    for control, sources in own.sources.items():
        for source in sources:
            name = f"{_called(own, source)}: {CONTROL_WORDS[control]}"
            for words in {heard[action]: None for action in menu.controls_of(source) if action in heard}:
                yield f"{name}, and {words}"
            if source in _FUNCTION_KEYS:
                yield f"{name}, and a key of the arcade in a match"


def _shared(own: DeviceBindings, other: DeviceBindings, half: str) -> Iterator[str]:
    for control, sources in own.sources.items():
        for source in sources:
            for theirs in other.controls_of(source):
                name = f"{_called(own, source)}: {CONTROL_WORDS[control]}"
                yield f"{name}, and {CONTROL_WORDS[theirs]} of {KEYBOARD[half].name.split()[0]}"


def _called(own: DeviceBindings, source: str) -> str:
    words = source_words(own.kind, source)
    return f"Key {words}" if own.kind == "keyboard" else words
