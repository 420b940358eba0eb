"""View: a table of a game's standings, declared once for the window, the terminal, CSV, JSON and HTML."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TextIO

from agents.ladder.ratings.standings import GameStandings

Line = dict[str, Any]
"""Field to text, int, float or None for unknown values; all lines of a view have the same fields."""

UNKNOWN = "–"
"""The text for unknown values."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of formulas in common spreadsheets."""


class Kind(Enum):
    """The content of a column: names of any length, short words, or figures."""

    NAME, WORD, FIGURE = auto(), auto(), auto()


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95% interval, formatted for people."""

    value: float
    low: float | None  # None for a single match
    high: float | None
    form: str  # of the three numbers
    note: str = ""  # a word behind them

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:{self.form}}"
        return f"{self.value:{self.form}} ± {(self.high - self.low) / 2:{self.form}}" + (self.note and f", {self.note}")

    @property
    def as_range(self) -> str:
        """The value with both ends of its interval."""
        if self.low is None or self.high is None:
            return str(self)
        return f"{self.value:{self.form}} ({self.low:{self.form}} to {self.high:{self.form}})"


Cell = str | Interval


@dataclass(frozen=True, slots=True)
class Column:
    """A column for people; programs read the fields of the lines."""

    title: str
    cell: Callable[[Line], Cell]
    kind: Kind = Kind.FIGURE
    width: float = 1.0  # in the window, relative to the other columns
    scale: str = ""  # the axis of bars in the window, shared by columns of one scale; "": text
    margin: float = 0.0  # of the axis beyond the outermost values; 0: it covers all intervals


@dataclass(frozen=True, slots=True)
class PairGrid:
    """The form of a view in a terminal, as rows and columns, for a few players."""

    row: str  # fields
    column: str
    cell: Callable[[Line], str]
    corner: str  # above the row names


@dataclass(frozen=True, kw_only=True)
class View:
    """A table with fields for programs and columns for people."""

    name: str  # for `--view`, the CSV file and the key in JSON
    title: str  # of its page in the window
    caption: str
    empty: str  # the text for a table without lines
    fields: tuple[str, ...]
    columns: tuple[Column, ...]
    lines: Callable[[GameStandings], Iterable[Line]]
    cooperative: bool | None = False  # for cooperative games, for others, or None: for both
    players: tuple[str, ...] = ("name", "label")  # fields that name the players of a line
    grid: PairGrid | None = None
    most: int | None = None  # most lines in the window and report, which omit a view with 0; None: all

    def fits(self, standings: GameStandings) -> bool:
        """Return whether the game has this view."""
        return self.cooperative in (None, standings.facts.cooperative)

    def is_of(self, line: Line, player: str) -> bool:
        """Return whether the line is about the player, in any role."""
        names = [str(line[field]) for field in self.players if field in line]
        return any(name == player or name.startswith(f"{player} [") for name in names)


def write_csv(fields: Iterable[str], lines: Iterable[Line], file: TextIO) -> None:
    """Write a header and the lines; unknown values are empty.

    An apostrophe disarms texts that a spreadsheet would take for a formula, since players choose their own names
    (https://owasp.org/www-community/attacks/CSV_Injection).
    """
    writer = csv.DictWriter(file, fieldnames=[*fields], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _no_formula(value) for name, value in line.items()} for line in lines)


def field(name: str, form: str = "") -> Callable[[Line], Cell]:
    """Return the cell of a field as text."""
    return lambda line: UNKNOWN if line[name] is None else format(line[name], form)


def interval(name: str, low: str, high: str, form: str) -> Callable[[Line], Cell]:
    """Return the cell of a field with its interval in two others."""
    return lambda line: UNKNOWN if line[name] is None else Interval(line[name], line[low], line[high], form)


def _no_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
