"""Conflicts between key bindings: one key with two meanings, or a control without a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arcade.engine.input.default_bindings import CONTROLS, DIRECTIONS, HALVES, KEYBOARD
from arcade.engine.input.key_bindings import DeviceBindings, KeyBindings
from arcade.engine.input.sources import is_half, source_label

CONTROL_LABELS: Mapping[str, str] = {
    "up": "Up", "down": "Down", "left": "Left", "right": "Right", "a": "Main action (A)", "b": "Second action (B)",
    "x": "Third action (X)", "y": "Fourth action (Y)", "l": "Left shoulder (L)", "r": "Right shoulder (R)",
    **{control: source_label("gamepad", control) for control in CONTROLS["gamepad"] if is_half(control)},
    "accept": "Choose", "back": "Back", "next": "Next page", "previous": "Page before", "start": "Pause and start",
    "switch": "Take or give a seat",
}  # fmt: skip

# Menu actions during a match; there a gamepad's `back` belongs to the game.
_IN_A_MATCH = {"start": "pauses the match", "back": "pauses the match", "switch": "takes or gives a seat"}
_FUNCTION_KEYS = frozenset(f"f{number}" for number in range(1, 13))


def conflicts(bindings: KeyBindings, word: str, *, game: str = "", agent: str = "", guid: str = "") -> tuple[str, ...]:
    """Return a sentence for each conflict in the bindings of the device `word` in a seat."""
    own = bindings.of(word, game=game, agent=agent, guid=guid)
    halves = HALVES.keys() - {own_half} if (own_half := word.partition(":")[2]) in HALVES else ()
    others = {KEYBOARD[half].name.split()[0]: bindings.of(f"keyboard:{half}", game=game) for half in sorted(halves)}
    missing = [control for control in (*DIRECTIONS, "a") if not own.sources.get(control)]
    found = [f"Nothing does {CONTROL_LABELS[control]}" for control in missing]
    for control, source in ((control, source) for control, sources in own.sources.items() for source in sources):
        key, text = _called(own, source), CONTROL_LABELS[control]
        for other in taken_by(own, source, control):
            both = sorted((control, other), key=list(own.sources).index)
            found.append(f"{key} does {' and '.join(CONTROL_LABELS[one] for one in both)}")
        found += [f"{key}: {text}, and {use}" for use in _match_keys(bindings, own.kind, source)]
        for half, device in others.items():
            found += [f"{key}: {text}, and {CONTROL_LABELS[other]} of {half}" for other in device.controls_of(source)]
    return tuple(dict.fromkeys(found))


def taken_by(own: DeviceBindings, source: str, control: str) -> tuple[str, ...]:
    """Return the other controls of `source`; a stick may be an axis and a direction."""
    return tuple(other for other in own.controls_of(source) if other != control and is_half(other) == is_half(control))


def _match_keys(bindings: KeyBindings, kind: str, source: str) -> Iterator[str]:
    """Yield the other uses of the source in a match."""
    actions = [action for action in bindings.menu(kind).controls_of(source) if kind == "keyboard" or action != "back"]
    yield from dict.fromkeys(_IN_A_MATCH[action] for action in actions if action in _IN_A_MATCH)
    if source in _FUNCTION_KEYS:
        yield "a key of the arcade in a match"


def _called(own: DeviceBindings, source: str) -> str:
    words = source_label(own.kind, source)
    return f"Key {words}" if own.kind == "keyboard" else words
