"""The controls of a seat: rows that connect keys, buttons and sticks to actions, with words for people.

The same rows are shown on the screen, drive the controllers, and can be edited by the player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from agents.errors import UserError

BUTTONS = ("up", "down", "left", "right", "a", "b", "x", "y", "l", "r")
"""Controls that are down or up; each keyboard half and each gamepad has them.  The left stick doubles as the cross."""

WAYS = BUTTONS[:4]

STICKS = ("x-", "x+", "y-", "y+", "rx-", "rx+", "ry-", "ry+", "lt+", "rt+")
"""Halves of a gamepad's axes, each going from 0 to 1: x, y the left stick, rx, ry the right one, lt, rt the triggers.
x+ is right, y+ is down, as SDL has it."""

Style = Literal["moves", "sticks", "switches", "numbers", "choose"]
"""moves: held controls make up one action, as in "up" and "fire"; sticks: numbers from how far one is pushed;
switches: each control gives one entry its value while it is held; numbers: controls step through the actions, and
the one reached is sent; choose: the game waits until one of the legal actions is picked."""


class ControlsError(UserError, ValueError):
    """Contradictory or unknown controls; the message names the row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRow:
    """One action of a player."""

    words: str  # its name for people: "Jump", "Turn left", "Raise the piston"
    controls: tuple[str, ...]  # any one of them does it: of BUTTONS and STICKS
    action: str = ""  # which action it is, unique among the rows; how it is written is up to the style
    begins: bool = False  # the game waits for it, as for a serve
    group: str = ""  # rows of one group may be shown as one, as in "Walk: W A S D"

    def __post_init__(self) -> None:
        if unknown := [control for control in self.controls if control not in (*BUTTONS, *STICKS)]:
            known = ", ".join((*BUTTONS, *STICKS))
            raise ControlsError(f"expected controls among {known} for {self.words!r}, got: {', '.join(unknown)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatControls:
    """All controls of a seat."""

    rows: tuple[ControlRow, ...]
    style: Style
    mouse: str = ""  # the use of the mouse; "": none
    idle: str = ""  # the action while nothing is held; "": the one named "nothing", else the first

    def __post_init__(self) -> None:
        if self.style not in get_args(Style):
            raise ControlsError(f"expected a style among {', '.join(get_args(Style))}, got: {self.style!r}")
        actions = [row.action for row in self.rows if row.action]
        if twice := sorted({action for action in actions if actions.count(action) > 1}):
            raise ControlsError(f"expected one row an action, got more for: {', '.join(twice)}")

    def table(self) -> dict[str, list[str]]:
        """Return action → controls, as plain data to save and edit."""
        return {row.action: list(row.controls) for row in self.rows if row.action}

    def changed(self, table: Mapping[str, Sequence[str]]) -> SeatControls:
        """Return these controls with `table` applied; raises ControlsError for an unknown action or control."""
        known = self.table()
        if unknown := [action for action in table if action not in known]:
            raise ControlsError(f"expected actions among {', '.join(known)}, got: {', '.join(unknown)}")
        rows = (replace(row, controls=tuple(table.get(row.action, row.controls))) for row in self.rows)
        return replace(self, rows=tuple(rows))

    def conflicts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the controls that do more than one thing, each with the words of its rows."""
        known = (*BUTTONS, *STICKS)
        doing = ((control, tuple(row.words for row in self.rows if control in row.controls)) for control in known)
        return tuple((control, words) for control, words in doing if len(words) > 1)


def stick(
    verb: str,
    fire: str = "",
    *,
    ways: Sequence[str] = WAYS,
    words: Mapping[str, str] | None = None,
    fire_keys: tuple[str, ...] = ("a", "b"),
    begins: bool = False,
    rows: Sequence[ControlRow] = (),
) -> SeatControls:
    """Return controls for a stick and a button, with the actions "up", "down", "left", "right" and "fire".

    The stick does `verb` in those `ways`, or as `words` name a direction; the button does `fire`, which
    `begins` play where the game waits for it; `rows` follow.
    """
    names = {way: f"{verb} {way}" for way in WAYS} | dict(words or {})
    moves = [
        ControlRow(words=names[way], controls=(way,), action=way, group=_group(names[way], way))
        for way in WAYS
        if way in ways
    ]
    button = [ControlRow(words=fire, controls=fire_keys, action="fire", begins=begins)] if fire else []
    return SeatControls(rows=(*moves, *button, *rows), style="moves")


def _group(words: str, way: str) -> str:
    """The group of a row: "Walk" for "Walk left"; "" for words of its own."""
    return words.removesuffix(f" {way}") if words.endswith(f" {way}") else ""


def cursor(
    play: str, mouse: str, *, point: str = "Move the cursor", ways: tuple[str, ...] = WAYS, back: str = ""
) -> SeatControls:
    """Return controls for a turn-based game: a does `play` with the choice under the cursor, b takes it `back`."""
    rows = [ControlRow(words=point, controls=ways), ControlRow(words=play, controls=("a",))]
    if back:
        rows.append(ControlRow(words=back, controls=("b",)))
    return SeatControls(rows=tuple(rows), style="choose", mouse=mouse)


CHOOSE = cursor("Play the option under the cursor", "Click on an option to play it")
"""The controls of any turn-based game."""
