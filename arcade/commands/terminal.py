"""What the commands print: tables for people, JSON objects for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from agents.snapshots.search import open_store
from arcade.match.batch.series import SeriesResult
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult
from arcade.match.stage.rules import StageRules
from arcade.match.stage.tick import Frame

WIDE = 112
"""Columns of a terminal from which on the listing says what one does in each game."""


def print_games(rows: Sequence[Mapping[str, Any]]) -> None:
    """The catalogue as a table; below it, what brings the games that lack packages."""
    console = Console()
    columns = ["game", "seats", "teams", "pace", "rate", "exact"]
    is_wide = console.width >= WIDE
    table = Table(box=None, pad_edge=False, header_style="bold", expand=is_wide)
    for column in columns:
        table.add_column(column, no_wrap=True, overflow="fold")
    if is_wide:
        columns.append("what you do")
        table.add_column(columns[-1], no_wrap=True, overflow="ellipsis", ratio=1)
    for row in rows:
        sizes = [str(len(team)) for team in row["teams"]]
        teams = " v ".join(sizes) if len(sizes) < 4 else f"{len(sizes)} teams"
        pace = "turn-based" if row["turn_based"] else "real-time"
        exact = ("yes" if row["exact"] else "no") if row["exactness"] else "?"
        mark = "" if row["available"] else " (not installed)"
        cells = [row["id"] + mark, str(row["seats"]), teams, pace, f"{row['fps']:g}/s", exact, row["summary"]]
        table.add_row(*cells[: len(columns)], style="" if row["available"] else "dim")
    console.print(table)
    for row in rows:
        if not row["available"]:
            console.print(f"{row['id']} is not installed: {row['reason']}", style="yellow", markup=False)


def print_series(result: SeriesResult) -> None:
    """One line a match, then the speed."""
    for index, match in enumerate(result.matches):
        print(_match_line(index, match))
    data = result.as_json()
    print(f"{data['ticks']} ticks in {result.seconds:.2f} s ({data['ticks_per_second']:.0f} a second)")
    for path in result.replays:
        print(f"replay: {path}")


def _match_line(index: int, match: MatchResult) -> str:
    if match.error:
        return f"match {index + 1}: failed: {match.error}"
    seats = ", ".join(f"{agent} {match.lineup[agent]} {value:g}" for agent, value in match.returns.items())
    late = sum(match.late.values())
    rules = StageRules(**match.settings.get("rules", {})).words
    more = (f", {late} late" if late else "") + (f", {rules}" if rules else "")
    return f"match {index + 1}: {seats} (seed {match.seed}, {match.ticks} ticks{more})"


class _Tick(ProgressColumn):
    """How far the match under way is; asked by the thread that draws the bar."""

    match: Match | None = None

    def render(self, task: Task) -> Text:
        tick = self.match.tick if self.match else None
        return Text(f"tick {tick.index:,}" if tick else "")


class SeriesProgress:
    """A bar over the matches of a series on stderr; a line a match where stderr is no terminal."""

    def __init__(self, matches: int, *, quiet: bool) -> None:
        console = Console(stderr=True)
        self._lines = not quiet and not console.is_terminal
        self._tick = _Tick()
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
        self._progress = Progress(
            *columns, self._tick, TimeElapsedColumn(), console=console, disable=quiet or self._lines, transient=True
        )
        self._task = self._progress.add_task("matches", total=matches)
        self._matches, self._begun = matches, 0

    def follow(self, match: Match) -> None:
        """A match begins; those before it are done."""
        self._progress.update(self._task, completed=self._begun)
        self._tick.match = match
        self._begun += 1
        if self._lines:
            print(f"match {self._begun} of {self._matches} …", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


def save_picture(frame: Frame | None, path: Path) -> None:
    """Write a frame as PNG; a game that draws none leaves no file."""
    if frame is None:
        return
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(frame).save(path)


def print_snapshots(game: str | None, *, as_json: bool) -> None:
    """Every snapshot that seats can use, and those refused with the reason."""
    store = open_store()
    cards = [card for card in store.list(game) if store.is_whole(card.name)]
    if as_json:
        print(json.dumps({"snapshots": [card.model_dump(mode="json") for card in cards], "refused": store.refused}))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("snapshot", "game", "steps", "made", "by"):
        table.add_column(column)
    for card in cards:
        table.add_row(card.name, card.game, f"{card.step:,}", str(card.created)[:16], card.algorithm)
    Console().print(table)
    for name, reason in store.refused.items():
        print(f"refused {name}: {reason}", file=sys.stderr)
