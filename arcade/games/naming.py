"""Controls for Discrete actions that have words, found from the words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arcade.games.actions import LETTERS
from arcade.games.controls import ControlRow, SeatControls

NEXT, PREVIOUS, LEAP, LEAP_BACK = ">", "<", ">>", "<<"
"""Actions of rows that step through numbers: by one, or by ten."""

Phrase = frozenset[str]
"""The words of an action, small letters; "up right" and "right up" are the same."""

_STICK = ("up", "down", "left", "right", "fire")  # words that always stand for themselves, alone or in company
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
_SECOND = {"left": "l", "right": "r"}  # a second thing to the left, as in turning and side steps
_BUTTONS = ("a", "b", "x", "y", "l", "r")
MOST = 10
"""Actions beyond which nobody can remember which control does which: they are stepped through."""


def words_of(name: str) -> tuple[str, ...]:
    """The words of an action's name, small: "TURN_LEFT", "turnLeft" and "turn left" are the same."""
    text = name.strip()
    if text and _RUN_TOGETHER.fullmatch(text):
        return tuple(word.lower() for word in re.findall("UP|DOWN|LEFT|RIGHT|FIRE", text))
    return tuple(word.lower() for word in _WORD.findall(text))


def message_of(name: str) -> int:
    """Which message "say C" or "say C, left" carries, A being 0; -1 where nothing is said."""
    found = _SAY.match(name)
    return LETTERS.index(found.group(1)) if found else -1


def moves_of(name: str) -> Phrase:
    """The words beside what is said; none for doing nothing."""
    words = words_of(_SAY.sub("", name))
    return frozenset() if " ".join(words) in _IDLE else frozenset(words)


def idle_of(names: Sequence[str]) -> int:
    """The index of doing nothing, the first action where no word says it."""
    return next((index for index, name in enumerate(names) if not moves_of(name) and message_of(name) < 0), 0)


def named_controls(names: Sequence[str]) -> SeatControls:
    """A row for each thing that the names are made of, on the control that its words ask for, else on a button."""
    atoms = _atoms(names)
    if not names or len(atoms) > MOST:
        return number_controls()
    rows = _rows(atoms)
    if any(message_of(name) >= 0 for name in names):
        rows = (*rows, *message_rows(alone=not rows))
    return SeatControls(rows=rows, style="moves")


def number_controls() -> SeatControls:
    """Stepping through many actions; the one reached is sent."""
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
    """Stepping through what can be said; `alone`: there is nothing else to do in the seat."""
    on, back = (("a", "right", "up"), ("b", "left", "down")) if alone else (("a",), ("b",))
    return (
        ControlRow(words="Say the next word", controls=on, action=NEXT, group="Say"),
        ControlRow(words="Say the previous word", controls=back, action=PREVIOUS, group="Say"),
    )


def _atoms(names: Sequence[str]) -> list[tuple[str, ...]]:
    """What the names are made of, each once, in their order: "up right" of "up" and "right"."""
    idle = idle_of(names) if names else 0
    spelt = [words_of(_SAY.sub("", name)) for name in names]
    phrases = [moves_of(name) for name in names]
    if phrases and all(phrases) and not any(message_of(name) >= 0 for name in names):
        idle = -1  # nothing among them does nothing
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
    """Whether two or more of the others make it up."""
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
    for word in reversed(atom):  # "go up", "turn left": what it is about stands last
        for control, words in _WANTS.items():
            if word in words:
                second = _SECOND.get(control, "")
                return control if control in free else second if second in free else ""
    return ""


def _row(atom: Sequence[str], controls: tuple[str, ...]) -> ControlRow:
    words = " ".join(atom)
    group = "Move" if words in ("up", "down", "left", "right") else ""
    return ControlRow(words=words.capitalize(), controls=controls, action=words, group=group)
