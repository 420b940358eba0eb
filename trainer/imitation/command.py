"""The command ``arcade imitate GAME``: clone recorded play."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated, Any

import typer

from arcade.commands.options import Json, ReportedCommand, complete_options, given, option, with_options
from arcade.commands.recording_filters import SEAT_OPTIONS
from trainer.api import imitate
from trainer.config import ConfigError
from trainer.config.reading import override
from trainer.imitation.order import ImitationSettings

LAYERS = ("network", "wrappers")
"""Sections of a training run's settings that --set may change too."""

RECORDINGS = ("--recordings", "--demos")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


SETTING_OPTIONS = {
    "algorithm": option(str | None, None, "bc (default): behaviour cloning; marwil: good decisions count more."),
    "epochs": option(int | None, None, "Epochs at most."),
    "seed": option(int | None, None, "Random seed."),
    "held_out": option(float | None, None, "Share of the recordings for the figures (0.2); 0: none.", metavar="SHARE"),
    "weight": option(float | None, None, "How many times corrected decisions count; default: in all as others."),
}


@app.command(cls=ReportedCommand, help="Make a snapshot that plays like recorded play.")
@with_options(SEAT_OPTIONS, dict)
@with_options(SETTING_OPTIONS, given)
def clone(
    fields: dict[str, Any],
    seats: dict[str, Any],
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="A game of the catalogue, as in house/volley.")],
    name: Annotated[str, typer.Option(help="Name of the snapshot; default: clone-PLAYER-1.")] = "",
    start: Annotated[str, typer.Option("--from", metavar="SNAPSHOT", help="Start from a snapshot.")] = "",
    corrections: Annotated[
        str, typer.Option(metavar="SNAPSHOT", help="Start from a snapshot that people took over from.")
    ] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Other settings: lr=1e-3, network.lstm=64.")
    ] = None,
    as_json: Json = False,
    recordings: Annotated[
        list[str] | None,
        typer.Option(
            *RECORDINGS, metavar="RECORDING…", rich_help_panel="Which recordings",
            help="These: names, ids or parts of them, or latest.",
        ),
    ] = None,
) -> None:  # fmt: skip
    own, layers = _split(settings or [])
    made = imitate(
        game, recordings=recordings or (), corrections=corrections, start=start, name=name, layers=layers,
        settings=fields | own, command=shlex.join(["arcade", "imitate", *context.obj]), quiet=as_json, **seats,
    )  # fmt: skip
    from trainer.imitation.report import print_clone

    print_clone(made, as_json_object=as_json)


def main(args: list[str] | None = None) -> int:
    """0 for a snapshot, 2 for an error."""
    args = sys.argv[1:] if args is None else args
    try:
        app(args=complete_options(args, several=RECORDINGS), prog_name="arcade imitate", obj=args)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def _split(args: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings of imitation, and those of the network."""
    own: dict[str, Any] = {}
    layers = []
    for text in args:
        key, equals, value = text.partition("=")
        section = key.partition(".")[0]
        if section in LAYERS and "." in key:
            layers.append(text)
        elif equals and key in ImitationSettings.model_fields:
            own[key] = value.split(",") if key == "ignore" else value
        else:
            known = ", ".join([*ImitationSettings.model_fields, *(f"{section}.…" for section in LAYERS)])
            raise ConfigError(f"expected --set KEY=VALUE with one of {known}, got: {text!r}")
    return own, override({}, layers)
