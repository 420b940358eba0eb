"""``arcade games``: the catalogue, and the games whose recordings replay exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from arcade.commands.options import Game, Json, SomeGames, hide_windows, tracked

if TYPE_CHECKING:
    from arcade.games.exact import Exactness

MEASURE = "--measure"
"""The former option, now a verb."""

WIDE = 112
"""Width of a terminal, in columns, from which the table has summaries."""


class GamesGroup(TyperGroup):
    """Lists games where no verb is given: ``arcade games``, ``arcade games volley``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            verb = "measure" if MEASURE in args else "list"
            args = [verb, *(word for word in args if word != MEASURE)]
        return super().parse_args(ctx, args)


games_app = typer.Typer(cls=GamesGroup, help="The games of the catalogue.", no_args_is_help=False)


@games_app.command("list")
def list_games(
    game: SomeGames = None,
    optional: Annotated[
        bool, typer.Option("--optional", help="List the games of other packages, installed or not.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List games: seats, teams, turn-based or real-time, rate, and whether recordings replay exactly."""
    from arcade.games import game_row, games, listed_games, open_game

    named = map(open_game, game) if game else listed_games() if optional else games()
    rows = [game_row(spec) for spec in named]
    print(json.dumps(rows)) if as_json else _print_games(rows)


@games_app.command("show")
def show_game(game: Game, as_json: Json = False) -> None:
    """Show the seats, controls and levels of a game, and whether it can be played here."""
    from agents.seats.controller import LEVELS
    from arcade.games import game_row, open_game

    spec = open_game(game)
    row = game_row(spec) | {"levels": [*LEVELS] if spec.has_levels else []}
    if as_json:
        print(json.dumps(row))
        return
    print(f"{spec.title} ({spec.id}): {spec.summary}")
    pace = "turn-based" if spec.turn_based else f"{spec.fps:g} ticks a second"
    if row["reason"]:
        print(f"cannot be played here: {row['reason']}")
    print(f"{pace}, {spec.outcome}; {row['exactness'] or '?'}")
    for number, team in enumerate(spec.teams, 1):
        print(f"team {number}: " + ", ".join(f"{agent} ({spec.seat_title(agent)})" for agent in team))
    for words in spec.controls_of(spec.agents[0]).rows if spec.agents else ():
        print(f"  {words.words}: {', '.join(words.controls)}")
    if row["levels"]:
        print(f"AI levels: {', '.join(row['levels'])}; how strong they are: arcade strengths {spec.id}")


@games_app.command("measure")
def measure_games(
    game: SomeGames = None,
    ticks: Annotated[int, typer.Option(min=2, help="Ticks of each game.")] = 600,
    out: Annotated[Path | None, typer.Option(help="The table to write, instead of the one in ARCADE_HOME.")] = None,
    as_json: Json = False,
) -> None:
    """Measure which games replay exactly, by playing them twice and from saved states."""
    raise typer.Exit(_measure(game or (), ticks=ticks, out=out, as_json=as_json))


def _print_games(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the catalogue as a table; below it, how to install what is missing."""
    from rich.console import Console
    from rich.table import Table

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


def _measure(names: Sequence[str], *, ticks: int, out: Path | None, as_json: bool) -> int:
    """Measure these games, or all installed ones, into the table `out`; returns the exit status, 1 for a failure."""
    hide_windows()
    from agents.files import replace_file
    from arcade.games import games, missing, open_game
    from arcade.games.exact import own_table, table_text
    from arcade.match.stage.repeatability import measure
    from arcade.match.stage.stage import StageError

    path = out or own_table()
    table, found, failed = _read(path), {}, {}
    specs = [open_game(name) for name in names] or [spec for spec in games() if not missing(spec)]
    for spec in tracked(specs, len(specs), "measuring", quiet=as_json):
        try:
            found[spec.id] = table[spec.id] = measure(spec, ticks=ticks)
        except StageError as error:
            failed[spec.id] = str(error)
            continue
        replace_file(path, table_text(table))
        if not as_json:
            print(f"{spec.id}: {found[spec.id].text}", flush=True)
    _print_measured(found, failed, path, as_json=as_json)
    return 1 if failed else 0


def _read(path: Path) -> dict[str, Exactness]:
    from agents.errors import UserError
    from arcade.games.exact import read_table

    try:
        return read_table(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{error}; move it away, and it is written anew") from error


def _print_measured(found: dict[str, Exactness], failed: dict[str, str], path: Path, *, as_json: bool) -> None:
    exact = sum(row.exact for row in found.values())
    if as_json:
        rows = {game: {"exact": row.exact, "words": row.text} for game, row in found.items()}
        print(json.dumps({"games": rows, "failed": failed, "table": str(path)}))
        return
    for game, reason in failed.items():
        print(f"{game}: failed: {reason}")
    print(f"{exact} of {len(found)} games replay exactly; written to {path}")
