"""What a person's hands do in a seat: rows of words, controls and the action that they mean.

The rows are what the arcade shows, what the controllers play by, and what a player may edit, all three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from agents.errors import UserError

BUTTONS = ("up", "down", "left", "right", "a", "b", "x", "y", "l", "r")
"""Controls that are down or up; each keyboard half and each gamepad has them.  The left stick is a cross too."""

STICKS = ("x-", "x+", "y-", "y+", "rx-", "rx+", "ry-", "ry+", "lt+", "rt+")
"""Halves of a gamepad's axes, each going from 0 to 1: x, y the left stick, rx, ry the right one, lt, rt the triggers.
x+ is right, y+ is down, as SDL has it."""

Style = Literal["moves", "sticks", "switches", "numbers", "choose"]
"""moves: held controls make up one action, as in "up" and "fire"; sticks: numbers from how far one is pushed;
switches: each control gives one entry its value while it is held; numbers: controls step through the actions, and
the one reached is sent; choose: the game waits until one of the legal actions is picked."""

_STYLES = ("moves", "sticks", "switches", "numbers", "choose")


class ControlsError(UserError, ValueError):
    """Controls that cannot be: the message names the row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRow:
    """One thing that a player can do."""

    words: str  # what it does, for people: "Jump", "Turn left", "Raise the piston"
    controls: tuple[str, ...]  # any one of them does it: of BUTTONS and STICKS
    action: str = ""  # which action it is, unique among the rows; how it is written is up to the style
    group: str = ""  # rows of one group may be told as one, as in "Walk: W A S D"

    def __post_init__(self) -> None:
        if unknown := [control for control in self.controls if control not in (*BUTTONS, *STICKS)]:
            known = ", ".join((*BUTTONS, *STICKS))
            raise ControlsError(f"expected controls among {known} for {self.words!r}, got: {', '.join(unknown)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatControls:
    """All that a player can do in a seat."""

    rows: tuple[ControlRow, ...]
    style: Style
    mouse: str = ""  # what the mouse does, "" where nothing
    idle: str = ""  # the action while nothing is held, "" for the one that is called nothing, else the first

    def __post_init__(self) -> None:
        if self.style not in _STYLES:
            raise ControlsError(f"expected a style among {', '.join(_STYLES)}, got: {self.style!r}")
        actions = [row.action for row in self.rows if row.action]
        if twice := sorted({action for action in actions if actions.count(action) > 1}):
            raise ControlsError(f"expected one row an action, got more for: {', '.join(twice)}")

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> SeatControls:
        """Out of the data that ``dataclasses.asdict`` makes of controls, also by way of JSON."""
        rows = tuple(ControlRow(**{**row, "controls": tuple(row["controls"])}) for row in data["rows"])
        return cls(**{**data, "rows": rows})

    def table(self) -> dict[str, list[str]]:
        """Action → controls, as plain data to be saved and edited."""
        return {row.action: list(row.controls) for row in self.rows if row.action}

    def changed(self, table: Mapping[str, Sequence[str]]) -> SeatControls:
        """With other controls for some of the actions; raises ControlsError for an action or control that is none."""
        known = self.table()
        if unknown := [action for action in table if action not in known]:
            raise ControlsError(f"expected actions among {', '.join(known)}, got: {', '.join(unknown)}")
        rows = (replace(row, controls=tuple(table.get(row.action, row.controls))) for row in self.rows)
        return replace(self, rows=tuple(rows))

    def conflicts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Controls that do more than one thing, each with the words of its rows."""
        known = (*BUTTONS, *STICKS)
        doing = ((control, tuple(row.words for row in self.rows if control in row.controls)) for control in known)
        return tuple((control, words) for control, words in doing if len(words) > 1)
