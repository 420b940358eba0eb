"""``arcade ladder``: games, show, run, test, exploitability, recompute, export and report."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer
from typer.core import TyperCommand

from agents.errors import UserError
from agents.plain_text import plain
from agents.platform import system
from arcade.commands.completion import complete_game
from arcade.commands.options import (
    OPENINGS,
    Csv,
    Game,
    Json,
    SomeGames,
    complete_options,
    given,
    hide_windows,
    option,
    tracked,
    with_options,
)

if TYPE_CHECKING:  # the commands import them when they run
    from agents.ladder.ladder import Ladder
    from agents.ladder.ratings.standings import GameStandings

ladder_app = typer.Typer(help="Results and ratings.", no_args_is_help=True)

EXPORTED = (
    "id", "key", "game", "time", "seed", "source", "ended", "ticks", "lineup", "teams", "placements", "returns",
    "settings", "actions",
)  # fmt: skip
"""Columns of an exported result; the five before the last are JSON."""


class TournamentCommand(TyperCommand):
    """Accepts several patterns behind one ``--entrant``, and ``--resume`` with or without an id."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, complete_options(args, several=["--entrant"]))


@ladder_app.command("games")
def ladder_games(as_json: Json = False, as_csv: Csv = False) -> None:
    """List the games with results."""
    from agents.ladder.ladder import GameTotal, open_ladder
    from agents.ladder.ratings.views import write_csv
    from arcade.commands.ladder_text import print_games

    _check_form(as_json, as_csv)
    with open_ladder(reading=True) as ladder:
        lines = [total._asdict() for total in ladder.totals()]
        _say(ladder.notice)
    if as_json:
        print(json.dumps({"games": lines}))
    elif as_csv:
        write_csv(GameTotal._fields, lines, sys.stdout)
    else:
        print_games(lines)


@ladder_app.command("show")
def ladder_show(
    game: Game,
    view: Annotated[
        str,
        typer.Option(
            help="ratings, matrix, cycles, history or statistics; of cooperative games ratings or cross-play."
        ),
    ] = "ratings",
    player: Annotated[
        str,
        typer.Option(metavar="NAME", help="Only this player: its rating, history, and record by opponent."),
    ] = "",
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Print the standings of a game: ratings or another view."""
    from agents.ladder.ratings.views import find_view, header, write_csv
    from arcade import api
    from arcade.commands.ladder_text import print_view

    _check_form(as_json, as_csv)
    found = api.ladder(game)
    _say(found.notice)
    shown = find_view(found, view)
    _check_player(found, player)
    lines = [line for line in shown.lines(found) if not player or shown.is_of(line, player)]
    if as_json:
        print(json.dumps({**header(found), view.replace("-", "_"): lines}))
    elif as_csv:
        write_csv(shown.fields, lines, sys.stdout)
    else:
        print_view(found, shown, lines, by_pair=bool(player))


PLAN_OPTIONS = {
    "format": option(str | None, None, "round-robin (default), swiss or informative."),
    "games": option(int | None, None, "Seeds of each meeting, each in every seating; default: 10.", metavar="N"),
    "rounds": option(int | None, None, "Of swiss; of informative at most.", metavar="N"),
    "bound": option(float | None, None, "Of informative: half the width of intervals; default: 50.", metavar="ELO"),
    "seed": option(int | None, None, "The same seed gives the same matches."),
    "max_ticks": option(int | None, None, "Of a match; default: 20000, fewer are not rated.", metavar="N"),
    "move_seconds": option(float | None, None, "For an answer, else the entrant forfeits; default: 10.", metavar="S"),
    "match_seconds": option(
        float | None, None, "For a match of entrants that play one at a time; default: 600.", metavar="S"
    ),
    "openings": (Annotated[Path | None, OPENINGS], None),
}


@ladder_app.command("run", cls=TournamentCommand)
@with_options(PLAN_OPTIONS, given)
def ladder_run(
    settings: dict[str, Any],
    game: Annotated[
        str,
        typer.Argument(help="A game of the catalogue (house/volley); not with --resume.", autocompletion=complete_game),
    ] = "",
    entrant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN …",
            help="snapshot:volley-*, scripted, random, uci:stockfish?skill=3, gtp:gnugo?level=1, remote:ADDRESS, "
            "python:module:function; limits after a question mark; default: all snapshots, scripted and random.",
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes; default: one a core.")] = None,
    ray_address: Annotated[
        str, typer.Option(metavar="ADDRESS", envvar="RAY_ADDRESS", help="Ray cluster to play on: HOST:6379 or auto.")
    ] = "",
    id: Annotated[str, typer.Option(help="Of the tournament; default: game and time.")] = "",
    resume: Annotated[
        str | None, typer.Option(metavar="[ID]", help="Resume a tournament; default: the newest unfinished one.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a tournament and put every match on the ladder."""
    from arcade.commands.ladder_run import run, run_on_ray

    options = {"game": game, "entrants": entrant or (), "id": id, "resume": resume, "workers": workers, **settings}
    if ray_address:
        run_on_ray(ray_address, options, as_json=as_json)
    raise typer.Exit(run(options, as_json=as_json))


TEST_OPTIONS = {
    "elo0": option(float | None, None, "A's advantage over B by the first hypothesis; default: 0."),
    "elo1": option(float | None, None, "By the second one, which is larger; default: 20."),
    "alpha": option(float | None, None, "Probability of accepting the second wrongly; default: 0.05."),
    "beta": option(float | None, None, "Probability of accepting the first wrongly; default: 0.05."),
    "max_games": option(int | None, None, "Games after which it stops undecided; default: 20000.", metavar="N"),
    **{name: PLAN_OPTIONS[name] for name in ("seed", "max_ticks", "move_seconds", "match_seconds", "openings")},
}


@ladder_app.command("test")
@with_options(TEST_OPTIONS, given)
def ladder_test(
    settings: dict[str, Any],
    first: Annotated[str, typer.Argument(metavar="A", help="A player: a snapshot's name, or a seat word.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other one; best for the best snapshot.")],
    game: Annotated[str, typer.Option(help="A game of two teams; default: that of a snapshot.")] = "",
    promote: Annotated[
        bool, typer.Option("--promote", help="Where A is stronger, let snapshot:best mean it from now on.")
    ] = False,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes; default: one a core.")] = None,
    as_json: Json = False,
) -> None:
    """Test whether A is stronger than B, on both sides of each seed, until that is decided."""
    from arcade.commands.ladder_run import run_test

    options = {"workers": workers, **settings}
    raise typer.Exit(run_test(options, (first, second), game, promotes=promote, as_json=as_json))


@ladder_app.command("recompute")
def ladder_recompute(game: SomeGames = None, as_json: Json = False) -> None:
    """Rate all matches again and report differences."""
    from agents.ladder.ladder import open_ladder

    with open_ladder(reading=True) as ladder:
        games = _games_on(ladder, game)
        done = [_recompute(ladder, one, quiet=as_json) for one in games]
        _say(ladder.notice)
    if as_json:
        print(json.dumps({"recomputed": done}))
        return
    for one in done:
        outcome = f"{one['changed']} ratings changed" if one["changed"] else "the same ratings"
        print(plain(f"{one['game']}: {one['results']} results, {outcome}"))


@ladder_app.command("export")
def ladder_export(
    game: SomeGames = None,
    out: Annotated[Path | None, typer.Option(help="The file to write instead of printing.")] = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Write all results, one a line: CSV, or with --json JSON lines."""
    from agents.ladder.ladder import open_ladder

    _check_form(as_json, as_csv)
    with open_ladder(reading=True) as ladder:
        games = _games_on(ladder, game)
        total = sum(one.results for one in ladder.totals() if one.game in games)
        every = (row for one in games for row in ladder.results(one))
        is_shown = out is None and sys.stdout.isatty()  # a bar would stand among the lines
        rows = tracked(every, total, "results", quiet=as_json or is_shown)
        with _opened(out) as file:
            (_write_json if as_json else _write_csv)(rows, file)
        _say(ladder.notice)


@ladder_app.command("report")
def ladder_report(
    game: SomeGames = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write into.")] = Path("ladder-report"),
    as_json: Json = False,
) -> None:
    """Write a report: an HTML page that works offline, PNG pictures, and CSV tables."""
    from agents.ladder.ladder import open_ladder
    from arcade import api
    from arcade.reports import check_libraries, write_report

    check_libraries()
    if out.exists() and not out.is_dir():
        raise UserError(f"expected a folder for the report, got: {str(out)!r}; name another one with --out")
    with open_ladder(reading=True) as ladder:
        found = [*dict.fromkeys(_games_on(ladder, game))]
    if not found:
        raise UserError("expected a ladder with results, got: none; play a match, or `arcade ladder run GAME`")
    page, *files = write_report([api.ladder(one) for one in tracked(found, len(found), "games", quiet=as_json)], out)
    if as_json:
        print(json.dumps({"page": str(page), "files": [str(path) for path in files]}))
    else:
        print(f"{page}: the page; {len(files)} pictures and tables beside it")


MINUTES = 5.0
"""Of the training of a best response where the exact one is out of reach and no budget was given."""

BUDGET = {
    "steps": option(int | None, None, "Train an approximate best response for so many env steps.", metavar="N"),
    "minutes": option(float | None, None, "Or for so many minutes; default where it is needed: 5.", metavar="M"),
    "games": option(int | None, None, "Games of that response in the seats of each team; default: 400.", metavar="N"),
    "seed": option(int | None, None, "Of its training and its games."),
    "settings": (
        Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Of its training, as of a run.")],
        None,
    ),
}


@ladder_app.command("exploitability")
@with_options(BUDGET, given)
def ladder_exploitability(
    budget: dict[str, Any],
    game: Game,
    player: Annotated[str, typer.Argument(help="A snapshot's name, or a seat word such as random or scripted.")],
    as_json: Json = False,
) -> None:
    """Compute what the best opponent wins against a player, with the player in all other seats.

    It is exact in tic-tac-toe, Leduc, rock paper scissors and small games of OpenSpiel, for players whose action
    probabilities are known. Else, and with --steps or --minutes, it is bounded by a best response that is trained.
    """
    if budget.keys() & {"steps", "minutes"}:
        _train_response(game, player, budget, as_json)
    if budget:
        raise typer.BadParameter(f"expected --{next(iter(budget))} with --steps or --minutes, got it alone")
    hide_windows()
    from arcade.exploitability import NotExactError, exploitability_of

    try:
        found = exploitability_of(game, player)
    except NotExactError as error:
        reason = error.as_json()["message"]
        _say(f"{reason}; a best response is trained for {MINUTES:g} minutes instead (--minutes, --steps)")
        _train_response(game, player, {"minutes": MINUTES}, as_json)
    if as_json:
        sums = {"nash_conv": found.nash_conv, "exploitability": found.exploitability, "exact": True}
        print(json.dumps(asdict(found) | sums))
        return
    values = ", ".join(f"{value:+.4f}" for value in found.values)
    player = plain(found.player)
    print(f"{player} in {found.game}: NashConv {found.nash_conv:.4f}, exploitability {found.exploitability:.4f}")
    print(f"the best opponent wins, in each seat: {values}")


def _train_response(game: str, player: str, budget: dict[str, Any], as_json: bool) -> NoReturn:
    """Become the program that trains a best response."""
    request = json.dumps({"game": game, "player": player, **budget})
    flags = ["--json"] if as_json else []
    system.become([sys.executable, "-m", "trainer.best_response", request, *flags])


def _say(notice: str) -> None:
    """Print a notice about the file to stderr, beside what was asked for."""
    if notice:
        print(f"arcade: {plain(notice)}", file=sys.stderr)


def _check_form(as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise typer.BadParameter("expected --json or --csv, got both")


def _games_on(ladder: Ladder, games: Sequence[str] | None) -> list[str]:
    """The given games, or all with results; raises GameError."""
    from arcade.arguments import game_on

    return [game_on(ladder, game) for game in games or ()] or ladder.games()


def _check_player(found: GameStandings, player: str) -> None:
    known = sorted({word for standing in found.table for word in (standing.name, standing.label)})
    if player and player not in known:
        text = f"expected --player {', '.join(known) or 'of a game with matches'}, got: {player!r}"
        raise UserError(text, code="not_found")


def _recompute(ladder: Ladder, game: str, *, quiet: bool) -> dict[str, Any]:
    from arcade.games import facts_of

    facts, watch = facts_of(game), partial(tracked, title=game, quiet=quiet)
    changed = ladder.recompute(game, watch=watch)
    if facts is not None and facts.roles:
        changed += ladder.recompute(game, roles=facts.roles, watch=watch)
    return {"game": game, "results": len(ladder.results(game)), "changed": changed}


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    """Open standard output, or a file that is replaced only when complete."""
    from agents.files import replacing

    if out is None:
        yield sys.stdout
        return
    try:
        with replacing(out) as aside, aside.open("w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        reason = error.strerror or error
        raise UserError(f"expected to write {out}, got: {reason}; name another one with --out") from error


def _write_json(rows: Iterator[dict[str, Any]], file: TextIO) -> None:
    for row in rows:
        file.write(json.dumps({name: row[name] for name in EXPORTED}) + "\n")


def _write_csv(rows: Iterator[dict[str, Any]], file: TextIO) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(EXPORTED)
    for row in rows:
        values = (row[name] for name in EXPORTED)
        writer.writerow([json.dumps(value) if isinstance(value, (dict, list)) else value for value in values])
