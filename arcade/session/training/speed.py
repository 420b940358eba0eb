"""How fast this machine trains a game: from its past runs, else from the notes of bundled snapshots, else a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from agents.wire.trainer_events import number
from arcade.games.spec import GameSpec
from arcade.session.training.curves import read_lines
from arcade.session.training.run_files import METRICS, read_manifest, read_settings

if TYPE_CHECKING:
    from agents.snapshots.card import SnapshotCard

LINES, TAIL_BYTES = 20, 64 * 2**10
"""The newest lines of a run's metrics that count."""

MOST_RUNS = 5
"""Newest runs of a game that count."""

_NOTE = re.compile(r"stopped at env step ([\d,]+) after (\d+) (minute|hour)s?")
_MINUTES = {"minute": 1, "hour": 60}

BATCHED, PLAIN, PICTURES = 15_000.0, 1_500.0, 250.0
"""Steps a second on two ordinary cores: with a batch engine, with an env at a time, and with pictures to look at."""

PICTURE_FAMILIES = ("atari", "butterfly")


class Source(Enum):
    """Where a speed comes from."""

    RUNS = "past runs on this machine"
    SNAPSHOTS = "the training of the bundled AI"
    GUESS = "similar games"


@dataclass(frozen=True, slots=True)
class Speed:
    """Env steps a second."""

    steps_per_second: float
    source: Source


def find_speed(spec: GameSpec, runs: Path, cards: Iterable[SnapshotCard]) -> Speed:
    """The speed at which `spec` is trained here; `cards` are of its snapshots.  Reads the disk: for the worker."""
    if measured := speeds_of_runs(spec.id, runs):
        return Speed(median(measured), Source.RUNS)
    if noted := [speed for card in cards if (speed := _noted(card.note))]:
        return Speed(median(noted), Source.SNAPSHOTS)
    guess = BATCHED if spec.batch else PICTURES if spec.family in PICTURE_FAMILIES else PLAIN
    return Speed(guess, Source.GUESS)


def speeds_of_runs(game: str, runs: Path) -> list[float]:
    """The mean speed of each of the newest runs of a game, newest first."""
    metrics = sorted(runs.glob(f"*/{METRICS}"), key=lambda path: path.stat().st_mtime, reverse=True)
    own = (path for path in metrics if _game(path.parent) == game)
    speeds = (_measured(path) for path, _ in zip(own, range(MOST_RUNS), strict=False))
    return [speed for speed in speeds if speed]


def _game(folder: Path) -> object:
    return read_manifest(folder).get("game") or read_settings(folder).get("game")


def _measured(path: Path) -> float:
    """Steps by time between the first and the last of the newest lines, so that freezing and rating count too."""
    lines = list(read_lines(path, most=LINES, size=TAIL_BYTES))
    points = [(number(line.get("step")), number(line.get("time"))) for line in lines]
    known = [(step, at) for step, at in points if step is not None and at is not None]
    if len(known) < 2:
        return max((number(line.get("steps_per_second")) or 0.0 for line in lines), default=0.0)
    (first, began), (last, ended) = known[0], known[-1]
    return max(0.0, (last - first) / (ended - began)) if ended > began else 0.0


def _noted(note: str) -> float:
    found = _NOTE.search(note)
    return int(found[1].replace(",", "")) / (int(found[2]) * _MINUTES[found[3]] * 60) if found else 0.0
