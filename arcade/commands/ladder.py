"""The ``arcade ladder`` commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from arcade.commands.options import Csv, Game, Json, SomeGames, reported

if TYPE_CHECKING:
    from arcade.commands.ladder_queries import Form

ladder_app = typer.Typer(help="Results and ratings.", no_args_is_help=True)


class TournamentCommand(TyperCommand):
    """Takes several patterns behind one ``--entrant``, and ``--resume`` with or without an id."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _one_value_each(args))


def _one_value_each(args: Sequence[str]) -> list[str]:
    words: list[str] = []
    option = ""
    for at, word in enumerate(args):
        if word.startswith("-") and word != "-":
            option = word
        elif option == "--entrant" and words[-1] != option:
            words.append(option)
        words.append(word)
        if word == "--resume" and (at + 1 == len(args) or args[at + 1].startswith("-")):
            words.append("newest")
    return words


@ladder_app.command("games")
def ladder_games(as_json: Json = False, as_csv: Csv = False) -> None:
    """List the games with results."""
    from arcade.commands import ladder_queries

    with reported():
        ladder_queries.list_games(_form(as_json, as_csv))


@ladder_app.command("show")
def ladder_show(
    game: Game,
    view: Annotated[
        str, typer.Option(help="ratings, matrix, cycles or history; of cooperative games ratings or cross-play.")
    ] = "ratings",
    player: Annotated[
        str, typer.Option(metavar="NAME", help="Only this one: its rating, its course, its record against each.")
    ] = "",
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Print the standings of a game: ratings or another view."""
    from arcade.commands import ladder_queries

    with reported():
        ladder_queries.show(game, view=view, player=player, form=_form(as_json, as_csv))


@ladder_app.command("run", cls=TournamentCommand)
def ladder_run(
    game: Annotated[str, typer.Argument(help="A game of the catalogue (house/volley); not with --resume.")] = "",
    entrant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN …",
            help="snapshot:volley-*, scripted, random, uci:stockfish?skill=3, gtp:gnugo?level=1, remote:ENDPOINT, "
            "python:module:function; limits after a question mark; default: all snapshots, scripted and random.",
        ),
    ] = None,
    form: Annotated[str | None, typer.Option("--format", help="round-robin (default), swiss or informative.")] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Seeds of each meeting, each in every seating; default: 10."),
    ] = None,
    rounds: Annotated[int | None, typer.Option(metavar="N", help="Of swiss; of informative at most.")] = None,
    bound: Annotated[
        float | None,
        typer.Option(metavar="ELO", help="Of informative: half the width of intervals; default: 50."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same matches.")] = None,
    max_ticks: Annotated[int | None, typer.Option(metavar="N", help="Of a match; default: 20000.")] = None,
    move_seconds: Annotated[
        float | None, typer.Option(metavar="S", help="For an answer, else the entrant forfeits; default: 10.")
    ] = None,
    match_seconds: Annotated[
        float | None, typer.Option(metavar="S", help="For a match of entrants that play one at a time; default: 600.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes; default: one a core.")] = None,
    ray_address: Annotated[
        str, typer.Option(metavar="ADDRESS", envvar="RAY_ADDRESS", help="Ray cluster to play on: HOST:6379 or auto.")
    ] = "",
    id: Annotated[str, typer.Option(help="Of the tournament; default: game and time.")] = "",
    resume: Annotated[
        str | None, typer.Option(metavar="[ID]", help="Resume a tournament, by default the newest that is not over.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a tournament and put every match on the ladder."""
    from arcade.commands import ladder_run as command

    settings = {
        "format": form, "games": games, "rounds": rounds, "bound": bound, "seed": seed, "max_ticks": max_ticks,
        "move_seconds": move_seconds, "match_seconds": match_seconds,
    }  # fmt: skip
    with reported():
        request = command.TournamentRequest(
            game=game, entrants=entrant or (), id=id, resume=resume, workers=workers, as_json=as_json,
            settings={name: value for name, value in settings.items() if value is not None},
        )  # fmt: skip
        if ray_address:
            command.run_on_ray(request, ray_address)
        raise typer.Exit(command.run(request))


@ladder_app.command("recompute")
def ladder_recompute(
    game: SomeGames = None,
    as_json: Json = False,
) -> None:
    """Rate all matches again and report differences."""
    from arcade.commands import ladder_queries

    with reported():
        ladder_queries.recompute(game or (), as_json=as_json)


@ladder_app.command("export")
def ladder_export(
    game: SomeGames = None,
    out: Annotated[Path | None, typer.Option(help="The file to write instead of printing.")] = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Write all results, one a line: CSV, or with --json JSON lines."""
    from arcade.commands import ladder_queries

    with reported():
        ladder_queries.export(game or (), out=out, form="json" if _form(as_json, as_csv) == "json" else "csv")


@ladder_app.command("report")
def ladder_report(
    game: SomeGames = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write into.")] = Path("ladder-report"),
    as_json: Json = False,
) -> None:
    """Write a report: an HTML page that works offline, PNG pictures, and CSV tables."""
    from arcade.commands import ladder_queries

    with reported():
        ladder_queries.report(game or (), out=out, as_json=as_json)


def _form(as_json: bool, as_csv: bool) -> Form:
    if as_json and as_csv:
        raise typer.BadParameter("expected --json or --csv, got both")
    return "json" if as_json else "csv" if as_csv else "text"
