"""Guesses the controls and the idle action of Discrete actions from their names, as in ``UPFIRE`` or ``move left``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arcade.games.controls import ControlRow, SeatControls

NOOP = "nothing"
"""The name of doing nothing, in every family."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The alphabet of messages, as in MPE's ``simple_env``."""

NEXT, PREVIOUS, LEAP, LEAP_BACK = ">", "<", ">>", "<<"
"""Actions of rows that step through numbers: by one, or by ten."""

Phrase = frozenset[str]
"""The words of an action in lower case; "up right" and "right up" are the same."""

_STICK = ("up", "down", "left", "right", "fire")  # each word is a part of its own, alone or combined
_RUN_TOGETHER = re.compile(r"(?:UP|DOWN)?(?:LEFT|RIGHT)?(?:FIRE)?")  # as ALE writes them: UPRIGHTFIRE
_SAY = re.compile(r"say ([A-Z])(?:,|$)")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\sA-Za-z0-9_,;|+]")
_IDLE = {
    *("nothing", "noop", "nop", "no op", "no operation", "none", "null", "idle", "do nothing", "no action", "no move"),
    *("stay", "still", "stay still", "stand", "stand still", "stop", "wait", "hold", "pass", "skip", "done"),
}
_WANTS = {
    "up": {"up", "north", "forward", "forwards", "ahead", "accelerate", "gas", "raise", "climb", "jump", "thrust"},
    "down": {"down", "south", "backward", "backwards", "back", "brake", "lower", "crouch", "duck"},
    "left": {"left", "west"},
    "right": {"right", "east"},
}
_SECOND = {"left": "l", "right": "r"}  # for a second action to the left, as in turning and side steps
_BUTTONS = ("a", "b", "x", "y", "l", "r")
MOST = 10
"""The most actions with a control each; more would be too many to remember, and are stepped through."""


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of an action's name in lower case: "TURN_LEFT", "turnLeft" and "turn left" are the same."""
    text = name.strip()
    if text and _RUN_TOGETHER.fullmatch(text):
        return tuple(word.lower() for word in re.findall("UP|DOWN|LEFT|RIGHT|FIRE", text))
    return tuple(word.lower() for word in _WORD.findall(text))


def message_of(name: str) -> int:
    """Return the index of the message in "say C" or "say C, left", A being 0; -1 without a message."""
    found = _SAY.match(name)
    return LETTERS.index(found.group(1)) if found else -1


def moves_of(name: str) -> Phrase:
    """Return the words beside the message; none for doing nothing."""
    words = words_of(_SAY.sub("", name))
    return frozenset() if " ".join(words) in _IDLE else frozenset(words)


def idle_of(names: Sequence[str]) -> int:
    """Return the index of doing nothing, or 0 if no name means that."""
    return next((index for index, name in enumerate(names) if not moves_of(name) and message_of(name) < 0), 0)


def named_controls(names: Sequence[str]) -> SeatControls:
    """Return a row for each part of the names, on the control that its words suggest, else on a button."""
    atoms = _atoms(names)
    if not names or len(atoms) > MOST:
        return number_controls()
    rows = _rows(atoms)
    if any(message_of(name) >= 0 for name in names):
        rows = (*rows, *message_rows(alone=not rows))
    return SeatControls(rows=rows, style="moves")


def number_controls() -> SeatControls:
    """Return controls that step through many actions; the current one is sent."""
    return SeatControls(
        rows=(
            ControlRow(words="Next action", controls=("right", "a"), action=NEXT, group="Step"),
            ControlRow(words="Previous action", controls=("left", "b"), action=PREVIOUS, group="Step"),
            ControlRow(words="Ten on", controls=("down", "r"), action=LEAP, group="Leap"),
            ControlRow(words="Ten back", controls=("up", "l"), action=LEAP_BACK, group="Leap"),
        ),
        style="numbers",
    )


def message_rows(*, alone: bool) -> tuple[ControlRow, ...]:
    """Return rows that step through the messages; `alone`: the seat has no other actions."""
    on, back = (("a", "right", "up"), ("b", "left", "down")) if alone else (("a",), ("b",))
    return (
        ControlRow(words="Say the next word", controls=on, action=NEXT, group="Say"),
        ControlRow(words="Say the previous word", controls=back, action=PREVIOUS, group="Say"),
    )


def _atoms(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the distinct parts of the names, in their order: "up" and "right" for "up right"."""
    idle = idle_of(names) if names else 0
    spelt = [words_of(_SAY.sub("", name)) for name in names]
    phrases = [moves_of(name) for name in names]
    if phrases and all(phrases) and not any(message_of(name) >= 0 for name in names):
        idle = -1  # every action does something
    atoms: dict[Phrase, tuple[str, ...]] = {}
    for index, (words, phrase) in enumerate(zip(spelt, phrases, strict=True)):
        if not phrase or index == idle:
            continue
        if phrase <= set(_STICK):
            atoms.update({frozenset((word,)): (word,) for word in words})
        elif not _is_sum(phrase, phrases):
            atoms.setdefault(phrase, words)
    return list(atoms.values())


def _is_sum(phrase: Phrase, phrases: Iterable[Phrase]) -> bool:
    """Return whether the phrase combines two or more of the others."""
    parts = [other for other in phrases if other and other < phrase]
    return bool(parts) and frozenset().union(*parts) == phrase


def _rows(atoms: Sequence[tuple[str, ...]]) -> tuple[ControlRow, ...]:
    free = [*_BUTTONS, "up", "down", "left", "right"]
    chosen: dict[tuple[str, ...], tuple[str, ...]] = {}
    for atom in sorted(atoms, key=lambda atom: (len(atom), atoms.index(atom))):  # plain "left" before "turn left"
        if control := _wanted(atom, free):
            chosen[atom] = (control,)
            free.remove(control)
    rest = [atom for atom in atoms if atom not in chosen]
    for atom in rest:
        control = free.pop(0)
        chosen[atom] = (control, "b") if len(rest) == 1 and control == "a" and "b" in free else (control,)
    if chosen.get(("up",)) == ("up",) and ("down",) not in chosen and not rest:
        chosen["up",] = ("up", "a", "b")  # a jump
    return tuple(_row(atom, chosen[atom]) for atom in atoms)


def _wanted(atom: Sequence[str], free: Sequence[str]) -> str:
    for word in reversed(atom):  # "go up", "turn left": the direction comes last
        for control, words in _WANTS.items():
            if word in words:
                second = _SECOND.get(control, "")
                return control if control in free else second if second in free else ""
    return ""


def _row(atom: Sequence[str], controls: tuple[str, ...]) -> ControlRow:
    words = " ".join(atom)
    group = "Move" if words in ("up", "down", "left", "right") else ""
    return ControlRow(words=words.capitalize(), controls=controls, action=words, group=group)
