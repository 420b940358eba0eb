"""The ``arcade`` command: its table of subcommands, each imported when it runs, so that help is quick."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from typer.core import TyperGroup

from agents.platform import system
from arcade.commands.doctor import doctor, paths, version
from arcade.commands.games import games_app
from arcade.commands.keys import keys_app
from arcade.commands.ladder import ladder_app
from arcade.commands.options import ErrorReporting
from arcade.commands.play import evaluate, play, replay
from arcade.commands.recordings import recordings_app
from arcade.commands.runs import runs_app
from arcade.commands.snapshots import serve, snapshots_app
from arcade.commands.strengths import strengths
from arcade.commands.together import host, join, relay


class Commands(ErrorReporting, TyperGroup):
    """Reports the errors of all commands."""


app = typer.Typer(
    name="arcade",
    cls=Commands,
    help="Play any PettingZoo game with friends or AI, beside live self-play.",
    no_args_is_help=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
)
for _command in (strengths, play, host, join, relay, evaluate, replay, serve, doctor, paths):
    app.command()(_command)
app.add_typer(games_app, name="games")
app.add_typer(recordings_app, name="recordings")
app.add_typer(recordings_app, name="demos", hidden=True)  # the former name
app.add_typer(ladder_app, name="ladder")
app.add_typer(runs_app, name="runs")
app.add_typer(snapshots_app, name="snapshots")
app.add_typer(keys_app, name="keys")

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.callback()
def main(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Without a command: open the arcade."""
    if context.invoked_subcommand is None:
        play()


@app.command(context_settings=PASSED_ON)
def train(context: typer.Context) -> None:
    """Train by self-play: `arcade train GAME`; `arcade train --help` lists the options."""
    _become("trainer", context)


@app.command(context_settings=PASSED_ON)
def imitate(context: typer.Context) -> None:
    """Clone recorded play: `arcade imitate GAME --person NAME`; `arcade imitate --help` lists the options."""
    _become("trainer.imitation", context)


def _become(module: str, context: typer.Context) -> None:
    """Replace this process: the trainer's libraries must never be loaded here."""
    system.become([sys.executable, "-m", module, *context.args])
