"""View: one table of a game's standings, declared once for the window, the terminal, CSV, JSON and HTML."""

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
"""What people read where a value is unknown."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a formula begins with in one spreadsheet or another."""


class Kind(Enum):
    """What a column holds: names of any length, short words, or figures."""

    NAME, WORD, FIGURE = auto(), auto(), auto()


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95 % interval, as people read it."""

    value: float
    low: float | None  # None where one match alone says nothing of the spread
    high: float | None
    form: str  # of the three numbers

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:{self.form}}"
        return f"{self.value:{self.form}} ± {(self.high - self.low) / 2:{self.form}}"

    @property
    def as_range(self) -> str:
        """The value with both ends of its interval."""
        if self.low is None or self.high is None:
            return str(self)
        return f"{self.value:{self.form}} ({self.low:{self.form}} to {self.high:{self.form}})"


Cell = str | Interval


@dataclass(frozen=True, slots=True)
class Column:
    """A column for people; programs get the fields of the lines."""

    title: str
    cell: Callable[[Line], Cell]
    kind: Kind = Kind.FIGURE
    width: float = 1.0  # in the window, in relation to the other columns
    scale: str = ""  # the window draws a bar: columns of one scale share their axis; "": as text
    margin: float = 0.0  # beside the outermost values of the scale; 0: it reaches to the ends of all intervals


@dataclass(frozen=True, slots=True)
class PairGrid:
    """How a terminal shows a view of few players as rows and columns."""

    row: str  # fields
    column: str
    cell: Callable[[Line], str]
    corner: str  # above the names of the rows


@dataclass(frozen=True, kw_only=True)
class View:
    """A name, the fields for programs, the columns for people, and how the lines are made."""

    name: str  # behind `--view`; of the CSV file and the key in JSON
    title: str  # of its page in the window
    caption: str
    empty: str  # shown in place of a table without lines
    fields: tuple[str, ...]
    columns: tuple[Column, ...]
    lines: Callable[[GameStandings], Iterable[Line]]
    cooperative: bool | None = False  # of cooperative games, of others, or None: of both
    who: tuple[str, ...] = ("name", "label")  # fields that name the players whose line it is
    grid: PairGrid | None = None
    most: int | None = None  # lines of the window's and the report's table, which have none where it is 0; None: all

    def fits(self, standings: GameStandings) -> bool:
        """Return whether the game has such a view."""
        return self.cooperative in (None, standings.facts.cooperative)

    def is_of(self, line: Line, player: str) -> bool:
        """Return whether the line is about the player, in whatever role."""
        names = [str(line[field]) for field in self.who if field in line]
        return any(name == player or name.startswith(f"{player} [") for name in names)

    def write_csv(self, lines: Iterable[Line], file: TextIO) -> None:
        """Write the lines below the names of the fields."""
        write_csv(self.fields, lines, file)


def write_csv(fields: Iterable[str], lines: Iterable[Line], file: TextIO) -> None:
    """Write lines below the names of the fields, also without any; unknown values are empty.

    A text that a spreadsheet would take for a formula gets an apostrophe in front: players call themselves what they
    like (https://owasp.org/www-community/attacks/CSV_Injection).
    """
    writer = csv.DictWriter(file, fieldnames=[*fields], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _no_formula(value) for name, value in line.items()} for line in lines)


def field(name: str, form: str = "") -> Callable[[Line], Cell]:
    """A field as text; `UNKNOWN` without a value."""
    return lambda line: UNKNOWN if line[name] is None else format(line[name], form)


def interval(name: str, low: str, high: str, form: str) -> Callable[[Line], Cell]:
    """A field with the two that hold its interval."""
    return lambda line: UNKNOWN if line[name] is None else Interval(line[name], line[low], line[high], form)


def _no_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
