"""Default controls for any action space, flattened to entries (numbers and choices); composes actions from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from gymnasium import spaces

from arcade.games.controls import CHOOSE, ControlRow, ControlsError, SeatControls
from arcade.games.naming import MOST, NEXT, PREVIOUS, named_controls, number_controls

RESET = "reset"
"""The action of the row that resets the selected entry."""

LESS, MORE = "-", "+"
"""Actions of rows that change the selected entry."""

PLAY = "play"
"""The action of the row that plays the entries as they are set, in turn-based games."""

_UNBOUNDED = 1.0  # full deflection of a number without a bound

# Controls in order of preference, each with its half of a stick: for two directions, for one, for a lone entry.
_PAIRS = (
    (("right", "x+"), ("left", "x-")),
    (("up", "y-"), ("down", "y+")),
    (("a", "rx+"), ("b", "rx-")),
    (("x", "ry-"), ("y", "ry+")),
    (("r", "rt+"), ("l", "lt+")),
)
_SINGLES = (("a", "rt+"), ("b", "lt+"), ("x",), ("y",), ("r",), ("l",), ("up",), ("down",), ("right",), ("left",))
_ONE = (("up", "right", "y-", "x+"), ("down", "left", "y+", "x-"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One number or one choice of an action."""

    name: str  # for people: "Value 2", or made from a Dict's key
    count: int = 0  # of choices; 0: it is a number
    low: float = 0.0  # of a number
    high: float = 0.0

    @property
    def rest(self) -> float:
        """The number at rest: the one nearest to zero."""
        return min(max(0.0, self.low), self.high)

    def number(self, push: float) -> float:
        """Return the number for a deflection of -1 … 1: `rest` in the middle, the bounds at the ends."""
        return self.rest + (push * (self.high - self.rest) if push >= 0 else push * (self.rest - self.low))


def entries_of(space: Any) -> tuple[Entry, ...]:
    """Return the entries of an action space, in the order of `assemble`; raises ControlsError for other spaces."""
    match space:
        case spaces.Discrete():
            return (Entry("Action", int(space.n)),)
        case spaces.MultiDiscrete():
            return _numbered("Choice", [Entry("", int(count)) for count in np.ravel(space.nvec)])
        case spaces.MultiBinary():
            return _numbered("Switch", [Entry("", 2)] * int(np.prod(space.shape)))
        case spaces.Box():
            bounds = zip(np.ravel(space.low), np.ravel(space.high), strict=True)
            return _numbered("Value", [Entry("", 0, *_finite(float(low), float(high))) for low, high in bounds])
        case spaces.Dict():
            return tuple(_named(str(name), entry) for name, part in space.spaces.items() for entry in entries_of(part))
        case spaces.Tuple():
            parts = enumerate(space.spaces, start=1)
            return tuple(_named(f"part {place}", entry) for place, part in parts for entry in entries_of(part))
    kinds = "Discrete, Box, MultiDiscrete, MultiBinary, Dict or Tuple"
    raise ControlsError(f"expected a {kinds} action space to play by hand, got: {space}")


def assemble(space: Any, entries: Sequence[Entry], values: Sequence[float]) -> Any:
    """Return the action of the space; `values`: the indices of choices, the deflections -1 … 1 of numbers."""
    return _assemble(space, iter(zip(entries, values, strict=True)))


def space_controls(space: Any, names: Sequence[str] = (), *, turn_based: bool = False) -> SeatControls:
    """Return controls for any action space; `names` are those of a Discrete one's actions, if known.

    A few entries get controls of their own; more, and those of `turn_based` games, are selected and changed one by one.
    """
    if isinstance(space, spaces.Discrete):
        if turn_based:
            return CHOOSE
        if len(names) == space.n:
            return named_controls(names)
        count = int(space.n)
        return number_controls() if count > MOST + 1 else _action_controls(count, int(space.start))
    entries = entries_of(space)
    rows = None if turn_based else _entry_rows(entries)
    if rows is None:
        return _desk_controls(waits=turn_based)
    return SeatControls(rows=rows, style="switches" if all(entry.count for entry in entries) else "sticks")


def _desk_controls(*, waits: bool) -> SeatControls:
    """Return controls that select one entry and change it; it keeps its value."""
    play = (ControlRow(words="Play it", controls=("a",), action=PLAY),) if waits else ()
    return SeatControls(
        rows=(
            ControlRow(words="Next value", controls=("down", "r"), action=NEXT, group="Point"),
            ControlRow(words="Previous value", controls=("up", "l"), action=PREVIOUS, group="Point"),
            ControlRow(words="More of it", controls=("right", "x+"), action=MORE, group="Change"),
            ControlRow(words="Less of it", controls=("left", "x-"), action=LESS, group="Change"),
            ControlRow(words="Let it go", controls=("b",), action=RESET),
            *play,
        ),
        style="numbers",
    )


def _action_controls(count: int, start: int) -> SeatControls:
    """Return controls for unnamed actions: the first at rest, a control for each of the others."""
    directions = [("up",), ("down",), ("left",), ("right",)]
    buttons = [("a",), ("b",), ("x",), ("y",), ("l",), ("r",)]
    controls = [(), *(directions if count > 3 else []), *buttons, *([] if count > 3 else directions)]
    words = ["Action {}, at rest", *["Action {}"] * (count - 1)]
    return SeatControls(
        rows=tuple(
            ControlRow(words=word.format(start + index), controls=controls[index], action=f"0={index}")
            for index, word in enumerate(words)
        ),
        style="switches",
    )


def _entry_rows(entries: Sequence[Entry]) -> tuple[ControlRow, ...] | None:
    """Return a control for each value of each entry; None if there are not enough.

    Numbers with two directions choose first, since they need the sticks; entries with a single button choose last.
    """
    free = {control for pair in _PAIRS for side in pair for control in side}
    rows: dict[int, list[ControlRow]] = {}
    for index in sorted(range(len(entries)), key=lambda index: (_is_single(entries[index]), entries[index].count > 0)):
        found = _choose(entries[index], free, alone=len(entries) == 1)
        if found is None:
            return None
        free -= {control for controls in found for control in controls}
        rows[index] = _rows_of(index, entries[index], found)
    return tuple(row for index in sorted(rows) for row in rows[index])


def _choose(entry: Entry, free: set[str], *, alone: bool) -> Sequence[Sequence[str]] | None:
    """Return the first free controls for the entry, for one direction or two; None without any."""
    if _is_single(entry):
        return next(((controls,) for controls in _SINGLES if set(controls) <= free), None)
    pairs = (_ONE,) if alone and not entry.count else _PAIRS
    return next((pair for pair in pairs if set(pair[0]) | set(pair[1]) <= free), None)


def _is_single(entry: Entry) -> bool:
    """Return whether one control is enough: a switch, or a number with one direction."""
    return entry.count == 2 or (not entry.count and entry.rest in (entry.low, entry.high))


def _rows_of(index: int, entry: Entry, sides: Sequence[Sequence[str]]) -> list[ControlRow]:
    return [
        ControlRow(words=f"{entry.name}{words}", controls=tuple(controls), action=f"{index}{action}", group=entry.name)
        for (words, action), controls in zip(_changes_of(entry), sides, strict=False)
    ]


def _changes_of(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return the changes of the entry by its first and second control: (words, action)."""
    if not entry.count:
        up, down = (" +", MORE), (" -", LESS)
        return (up, down) if entry.rest < entry.high else (down, up)
    if entry.count == 2:
        return ((" on", "=1"),)
    return ((": 2", "=2"), (": 1", "=1")) if entry.count == 3 else ((": next", NEXT), (": previous", PREVIOUS))


def _assemble(space: Any, values: Iterator[tuple[Entry, float]]) -> Any:
    match space:
        case spaces.Discrete():
            return int(space.start) + int(next(values)[1])
        case spaces.Dict():
            return {name: _assemble(part, values) for name, part in space.spaces.items()}
        case spaces.Tuple():
            return tuple(_assemble(part, values) for part in space.spaces)
    found = [next(values) for _ in range(int(np.prod(space.shape)))]
    numbers = np.array([value if entry.count else entry.number(value) for entry, value in found], float)
    flat = np.rint(numbers) if np.dtype(space.dtype).kind in "biu" else numbers
    start = getattr(space, "start", 0)  # of a MultiDiscrete
    return (flat.reshape(space.shape) + start).astype(space.dtype)


def _finite(low: float, high: float) -> tuple[float, float]:
    """Return finite bounds: a missing one is one unit from rest, or from the other bound."""
    if not np.isfinite(low):
        low = min(-_UNBOUNDED, high - _UNBOUNDED)
    return low, high if np.isfinite(high) else max(_UNBOUNDED, low + _UNBOUNDED)


def _numbered(word: str, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    if len(entries) == 1:
        return (replace(entries[0], name=word),)
    return tuple(replace(entry, name=f"{word} {place}") for place, entry in enumerate(entries, start=1))


def _named(name: str, entry: Entry) -> Entry:
    """Return the entry as a part called `name`: "gear" is "Gear", the second of its "pedals" is "Pedals 2"."""
    inner = re.sub("^(Action|Choice|Switch|Value)", "", entry.name).strip()
    return replace(entry, name=f"{name[:1].upper()}{name[1:]} {inner[:1].lower()}{inner[1:]}".strip())
