"""The ``arcade`` command.  Each command imports what it needs when it runs, so that help and listings are quick."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from arcade.commands import evaluate, play
from arcade.commands.errors import reported
from arcade.commands.ladder import ladder_app
from arcade.commands.options import Json, SomeGames
from arcade.commands.recordings import recordings_app

app = typer.Typer(
    name="arcade",
    help="Play PettingZoo games: people and policies in any seat, beside live self-play.",
    no_args_is_help=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
)
snapshots_app = typer.Typer(help="Frozen policies.", no_args_is_help=True)
runs_app = typer.Typer(help="Training runs, and orders to those under way.", no_args_is_help=True)
app.command()(play.play)
app.command()(evaluate.evaluate)
app.command()(play.replay)
app.add_typer(recordings_app, name="recordings")
app.add_typer(recordings_app, name="demos", hidden=True)  # its name before
app.add_typer(ladder_app, name="ladder")
app.add_typer(runs_app, name="runs")
app.add_typer(snapshots_app, name="snapshots")

Run = Annotated[
    str, typer.Argument(metavar="RUN", help="A run, or tcp://HOST:PORT; default: the only one being trained.")
]


@app.callback()
def main(context: typer.Context) -> None:
    """Without a command: open the arcade."""
    if context.invoked_subcommand is None:
        play.play()


@app.command()
def games(
    game: SomeGames = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Play them again and again: which repeat exactly?")
    ] = False,
    ticks: Annotated[int, typer.Option(min=2, help="Of each game, for --measure.")] = 600,
    out: Annotated[
        Path | None, typer.Option(help="The table that --measure writes, instead of the one in ARCADE_HOME.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List every game: seats, teams, turn-based or real-time, rate, whether a recording replays exactly."""
    from arcade.commands import terminal
    from arcade.games import game_row, open_game
    from arcade.games import games as all_games

    with reported():
        if measure:
            from arcade.commands import repeatability

            raise typer.Exit(repeatability.measure_games(game or (), ticks=ticks, out=out, as_json=as_json))
        rows = [game_row(spec) for spec in (map(open_game, game) if game else all_games())]
        print(json.dumps(rows)) if as_json else terminal.print_games(rows)


@app.command()
def serve(
    endpoint: Annotated[
        str, typer.Option(help="Where to listen; the default is this machine alone.")
    ] = "tcp://127.0.0.1:5555",
) -> None:
    """Serve snapshots as remote seats: batched inference for any number of clients."""
    from arcade.commands import serve

    with reported():
        serve.serve_snapshots(endpoint)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def train(context: typer.Context) -> None:
    """Train by self-play: `arcade train GAME`; `arcade train --help` lists the options."""
    import os

    # The trainer's libraries must never be loaded here, so it is another program from the first line on.
    os.execv(sys.executable, [sys.executable, "-m", "trainer", *context.args])


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def imitate(context: typer.Context) -> None:
    """Clone recorded play: `arcade imitate GAME --person NAME`; `arcade imitate --help` lists the options."""
    import os

    os.execv(sys.executable, [sys.executable, "-m", "trainer.imitation", *context.args])


@runs_app.command("list")
def runs_list(as_json: Json = False) -> None:
    """List the runs on this machine, those that are being trained first."""
    from arcade.commands import runs

    with reported():
        runs.list_runs(as_json=as_json)


@runs_app.command("status")
def runs_status(run: Run = "", as_json: Json = False) -> None:
    """Ask a trainer how far it is, and how it matches."""
    _order("status", run, as_json)


@runs_app.command("pause")
def runs_pause(run: Run = "", as_json: Json = False) -> None:
    """Let a trainer rest after the iteration under way."""
    _order("pause", run, as_json)


@runs_app.command("resume")
def runs_resume(run: Run = "", as_json: Json = False) -> None:
    """Let a paused trainer go on."""
    _order("resume", run, as_json)


@runs_app.command("freeze")
def runs_freeze(run: Run = "", as_json: Json = False) -> None:
    """Make a snapshot of each policy after the iteration under way."""
    _order("freeze", run, as_json)


@runs_app.command("stop")
def runs_stop(run: Run = "", as_json: Json = False) -> None:
    """End a run, with a checkpoint to go on from."""
    _order("stop", run, as_json)


@runs_app.command("match")
def runs_match(
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY=VALUE…",
            help="newest_ratio, fixed_ratio, play_against_latest_model_ratio; weighting (uniform, variance, hard)",
        ),
    ],
    run: Annotated[
        str, typer.Option("--run", help="A run, or tcp://HOST:PORT; without it the only one there is.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Change whom a run plays against, from the next episodes on."""
    from arcade.commands import runs

    with reported():
        runs.order("matchmaking", run, params=runs.read_changes(changes), as_json=as_json)


@snapshots_app.command("list")
def snapshots_list(
    game: Annotated[str | None, typer.Argument(help="Only those of this game.")] = None, as_json: Json = False
) -> None:
    """List the snapshots that seats can use, oldest first, and the refused ones with the reason."""
    from arcade.commands import terminal
    from arcade.games import find_game

    with reported():
        terminal.print_snapshots(find_game(game).id if game else None, as_json=as_json)


def _order(name: str, run: str, as_json: bool) -> None:
    from arcade.commands import runs

    with reported():
        runs.order(name, run, as_json=as_json)
