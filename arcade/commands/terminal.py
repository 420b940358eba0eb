"""Terminal output: tables, time series and progress bars."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)  # fmt: skip
from rich.table import Table
from rich.text import Text

from agents.ladder.ratings.rows import CUT_SHORT
from agents.plain_text import plain
from arcade.match.stage.rules import StageRules

if TYPE_CHECKING:
    from arcade.match.batch.in_process import SeriesResult
    from arcade.match.play.match import Match
    from arcade.match.play.result import MatchResult


PIPE = 240
"""Columns of a table in a pipe or a file, where nothing cuts it off."""


def make_table(columns: Iterable[str], rows: Iterable[Iterable[object]] = ()) -> Table:
    """Make a table; a column with ">" before its name is aligned to the right and never wrapped."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        is_figure = column.startswith(">")
        justify: Literal["right", "left"] = "right" if is_figure else "left"
        table.add_column(column.removeprefix(">"), justify=justify, no_wrap=is_figure, overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(str(cell))) for cell in row))  # brackets in a name are no markup
    return table


def table_console() -> Console:
    """Make the console for tables: as wide as the terminal, and wide enough for any table where there is none."""
    console = Console()
    return console if console.is_terminal or "COLUMNS" in os.environ else Console(width=PIPE)


def print_table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a table of these columns and rows, as in `make_table`."""
    table_console().print(make_table(columns, rows))


def print_series(result: SeriesResult) -> None:
    """Print a line for each match, then the speed."""
    for index, match in enumerate(result.matches):
        print(plain(_match_line(index, match)))
    data = result.as_json()
    print(f"{data['ticks']} ticks in {result.seconds:.2f} s ({data['ticks_per_second']:.0f} a second)")
    for path in result.replays:
        print(f"replay: {path}")


def _match_line(index: int, match: MatchResult) -> str:
    if match.error:
        return f"match {index + 1}: {'forfeited' if match.ended == 'forfeit' else 'failed'}: {match.error}"
    seats = ", ".join(f"{agent} {match.lineup[agent]} {value:g}" for agent, value in match.returns.items())
    late = sum(match.late.values())
    rules = StageRules(**match.settings.get("rules", {})).text
    more = (f", {late} late" if late else "") + (f", {rules}" if rules else "")
    more += f", not rated: {match.unrated}" if match.unrated == CUT_SHORT else ""
    return f"match {index + 1}: {seats} (seed {match.seed}, {match.ticks} ticks{more})"


class _Tick(ProgressColumn):
    """The tick of the current match, read by the thread of the bar."""

    match: Match | None = None

    def render(self, task: Task) -> Text:
        tick = self.match.tick if self.match else None
        return Text(f"tick {tick.index:,}" if tick else "")


class SeriesProgress(Progress):
    """A bar over the matches of a series on stderr; a line a match where stderr is no terminal."""

    def __init__(self, matches: int, *, quiet: bool) -> None:
        console = Console(stderr=True)
        self._lines = not quiet and not console.is_terminal
        self._tick, self._matches, self._begun = _Tick(), matches, 0
        super().__init__(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), self._tick, TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console, disable=quiet or self._lines, transient=True,
        )  # fmt: skip
        self.add_task("matches", total=matches)

    def follow(self, match: Match | None = None) -> None:
        """Show the next match, with its tick where it is given."""
        self.update(self.task_ids[0], completed=self._begun)
        self._tick.match = match
        self._begun += 1
        if self._lines:
            print(f"match {self._begun} of {self._matches} …", file=sys.stderr, flush=True)
