"""The words behind ``arcade imitate`` (``python -m trainer.imitation``), and the order that they mean."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from typing import Any

from agents.snapshots.card import check_name
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetQuery
from trainer.command_line import find_installed
from trainer.config import ConfigError
from trainer.config.overrides import override
from trainer.imitation.order import Order, Wish
from trainer.imitation.settings import ImitationSettings, make_settings

QUERY = {
    "person": "played by this person",
    "seat": "in this seat; a pattern like archer_*",
    "kind": "by this kind of player: keyboard, snapshot, scripted …",
    "label": "by who is called so; a pattern like volley-*",
    "outcome": "with this end for the seat: win, loss, draw",
    "takeover": "only what people decided for machines, or without it",
    "tag": "with this tag",
}
"""Fields of a DatasetQuery that are words, and what they ask for."""

LAYERS = ("network", "wrappers")
"""Sections of a training run's settings that --set may change too."""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="arcade imitate", description="Make a snapshot that plays like whoever was recorded."
    )
    add = parser.add_argument
    add("game", help="catalogue id, as in house/volley")
    add("--algorithm", choices=("bc", "marwil"), help="bc (default): do as was done; marwil: more so where it paid")
    add("--epochs", type=int, help="passes over the decisions at most")
    add("--seed", type=int, help="of weights and order")
    add(
        "--held-out",
        type=float,
        metavar="SHARE",
        help="of the takes, to measure with (0.2, as likeness has it); 0: none",
    )
    add("--name", default="", help="of the snapshot; default: clone-WHO-1")
    add("--from", dest="start", default="", metavar="SNAPSHOT", help="go on from a snapshot")
    add("--corrections", default="", metavar="SNAPSHOT", help="go on from a snapshot that people took over from")
    add("--weight", type=int, help="so many times do corrected decisions count")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="another setting: lr=1e-3, network.lstm=64")
    add("--json", action="store_true", help="print one JSON object instead of text")
    which = parser.add_argument_group("which recordings").add_argument
    words = "names, ids or parts of them, or latest"
    which("--recordings", "--demos", nargs="+", default=[], metavar="RECORDING", help=f"these: {words}")
    for field, words in QUERY.items():
        which(f"--{field}", default="", help=words)
    which("--min-return", type=float, help="with at least this return")
    which("--max-return", type=float, help="with at most this return")
    which("--min-rating", type=int, default=0, metavar="STARS", help="with so many stars")
    return parser


def make_order(options: argparse.Namespace, takes: RecordingLibrary, words: Sequence[str] = ()) -> Order:
    """Raises ConfigError, DatasetError, RecordingError or GameError; `words` are for the snapshot's card."""
    spec = find_installed(options.game)
    query = DatasetQuery(
        game=spec.id,
        takes=tuple(takes.get(word).id for word in options.recordings),
        min_return=options.min_return,
        max_return=options.max_return,
        min_rating=options.min_rating,
        **{field: getattr(options, field) for field in QUERY},
    )
    settings, layers = _settings(options)
    _check_name(options.name)
    if options.weight is not None and not options.corrections:
        raise ConfigError(f"expected --weight with --corrections SNAPSHOT, got it alone: {options.weight}")
    return Order(
        spec=spec, wish=Wish(query=query, corrected=options.corrections), settings=settings, layers=layers,
        start=options.start, name=options.name, command=shlex.join(["arcade", "imitate", *words]) if words else "",
    )  # fmt: skip


def _check_name(name: str) -> None:
    try:
        check_name(name or "free")
    except ValueError as error:
        raise ConfigError(f"--name: {error}") from None


def _settings(options: argparse.Namespace) -> tuple[ImitationSettings, dict[str, Any]]:
    names = {"algorithm", "epochs", "seed", "held_out", "weight"}
    given: dict[str, Any] = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    layers = []
    for word in options.set:
        key, equals, value = word.partition("=")
        section = key.partition(".")[0]
        if section in LAYERS and "." in key:
            layers.append(word)
        elif equals and key in ImitationSettings.model_fields:
            given[key] = value.split(",") if key == "ignore" else value
        else:
            known = ", ".join([*ImitationSettings.model_fields, *(f"{section}.…" for section in LAYERS)])
            raise ConfigError(f"expected --set KEY=VALUE with one of {known}, got: {word!r}")
    return make_settings(given), override({}, layers)
