"""Prints the ladder's tables in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views import Kind, View, facts_text
from agents.ladder.ratings.views.built_in import when
from agents.ladder.ratings.views.view import UNKNOWN, Line, PairGrid
from arcade.commands.terminal import print_table, table_console

MATRIX_PLAYERS = 12
"""Most players of a grid; more are listed pair by pair."""

WIDE = 100
"""Width of a terminal, in columns, from which the kinds of players are shown."""

_HOW = "play some: arcade play {game} --headless --ladder --episodes 10"


def print_games(lines: Sequence[Line]) -> None:
    """Print a line for each game."""
    if not lines:
        print(f"no results yet; {_HOW.format(game='house/volley')}")
        return
    rows = ((line["game"], f"{line['results']:,}", line["players"], when(line["last"])) for line in lines)
    print_table(("Game", ">Results", ">Players", "Last match"), rows)


def print_view(standings: GameStandings, view: View, lines: Sequence[Line], *, by_pair: bool) -> None:
    """Print one view; `by_pair` lists a matrix pair by pair instead of as a grid."""
    if not standings.table:
        more = facts_text(standings)[1:2] if standings.left_out else []
        game = standings.facts.id
        print("; ".join([f"no matches of {game} yet", *more, _HOW.format(game=game)]))
    elif not lines:
        print(view.empty)
    elif view.grid is not None and not by_pair and len(standings.table) <= MATRIX_PLAYERS:
        _print_grid(view.grid, lines)
    else:
        _print_list(view, lines)
    if lines and view.name == "ratings":
        print("; ".join(facts_text(standings)))


def _print_list(view: View, lines: Sequence[Line]) -> None:
    """Leave out columns without a value, and kinds of players where the terminal is narrow."""
    wide = table_console().width >= WIDE
    used = [
        column for column in view.columns
        if (wide or column.kind is not Kind.WORD) and any(column.cell(line) not in ("", UNKNOWN) for line in lines)
    ]  # fmt: skip
    titles = ((">" if column.kind is Kind.FIGURE else "") + column.title for column in used)
    print_table(titles, ([column.cell(line) for column in used] for line in lines))


def _print_grid(grid: PairGrid, lines: Sequence[Line]) -> None:
    names = list(dict.fromkeys(line[grid.row] for line in lines))
    cells = {(line[grid.row], line[grid.column]): grid.cell(line) for line in lines}
    columns = (grid.corner, *(f">{place}" for place in range(1, len(names) + 1)))
    rows = (
        (f"{place} {name}", *(cells.get((name, other), UNKNOWN) for other in names))
        for place, name in enumerate(names, 1)
    )
    print_table(columns, rows)
