"""The ladder's tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views import Kind, View, facts_words
from agents.ladder.ratings.views.players import when
from agents.ladder.ratings.views.view import UNKNOWN, Line, PairGrid

MATRIX_PLAYERS = 12
"""Most players of a grid; more are listed pair by pair."""

WIDE = 100
"""Columns of a terminal from which on short words, the kinds of players, are shown."""

_HOW = "play some: arcade play {game} --headless --episodes 10"


def print_games(lines: Sequence[Line]) -> None:
    """Print a line for each game."""
    if not lines:
        print(f"no results yet; {_HOW.format(game='house/volley')}")
        return
    rows = ((line["game"], f"{line['results']:,}", line["players"], when(line["last"])) for line in lines)
    kinds = (Kind.NAME, Kind.FIGURE, Kind.FIGURE, Kind.WORD)
    _print(zip(("Game", "Results", "Players", "Last match"), kinds, strict=True), rows)


def print_view(standings: GameStandings, view: View, lines: Sequence[Line], *, by_pair: bool) -> None:
    """Print one view; `by_pair` lists a matrix pair by pair instead of as a grid."""
    if not standings.table:
        more = "; ".join(facts_words(standings)[1:2]) if standings.left_out else ""
        print(
            "; ".join(
                filter(None, (f"no matches of {standings.facts.id} yet", more, _HOW.format(game=standings.facts.id)))
            )
        )
        return
    if not lines:
        print(view.empty)
        return
    if view.grid is not None and not by_pair and len(standings.table) <= MATRIX_PLAYERS:
        _print_grid(view.grid, lines)
    else:
        _print_list(view, lines)
    if view.name == "ratings":
        print("; ".join(facts_words(standings)))


def _print_list(view: View, lines: Sequence[Line]) -> None:
    """Leave out columns without a value, and short words where the terminal is narrow."""
    wide = Console().width >= WIDE
    used = [
        column for column in view.columns
        if (wide or column.kind is not Kind.WORD) and any(column.cell(line) not in ("", UNKNOWN) for line in lines)
    ]  # fmt: skip
    _print(((one.title, one.kind) for one in used), ([one.cell(line) for one in used] for line in lines))


def _print_grid(grid: PairGrid, lines: Sequence[Line]) -> None:
    names = list(dict.fromkeys(line[grid.row] for line in lines))
    cells = {(line[grid.row], line[grid.column]): grid.cell(line) for line in lines}
    heads = [(grid.corner, Kind.NAME), *((str(place), Kind.FIGURE) for place in range(1, len(names) + 1))]
    rows = (
        (f"{place} {name}", *(cells.get((name, other), UNKNOWN) for other in names))
        for place, name in enumerate(names, 1)
    )
    _print(heads, rows)


def _print(heads: Iterable[tuple[str, Kind]], rows: Iterable[Iterable[Any]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, kind in heads:
        is_figure = kind is Kind.FIGURE
        table.add_column(title, justify="right" if is_figure else "left", no_wrap=is_figure)
    for row in rows:
        table.add_row(*(Text(str(value)) for value in row))  # as it is: brackets in a name are no colours
    Console().print(table)
