"""How fast this machine trains a game: from its past runs, of this game or of others, else a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from statistics import median

from agents.wire.trainer_events import number
from arcade.games.spec import GameSpec
from arcade.session.training.curves import read_lines
from arcade.session.training.run_files import METRICS, read_manifest, read_settings, written_at

LINES, TAIL_BYTES = 20, 64 * 2**10
"""The newest lines of a run's metrics that count."""

MOST_RUNS = 5
"""Newest runs of a game that count."""

MOST_READ = 40
"""Newest runs that are read."""

BATCHED, PLAIN, PICTURES = 15_000.0, 1_500.0, 250.0
"""Steps a second on two ordinary cores: with a batch engine, with an env at a time, and with pictures to look at."""

PICTURE_FAMILIES = ("atari", "butterfly")


class Source(Enum):
    """Where a speed comes from."""

    RUNS = "past runs on this machine"
    OTHERS = "past runs of other games on this machine"
    GUESS = "nothing measured here"


@dataclass(frozen=True, slots=True)
class Speed:
    """Env steps a second."""

    steps_per_second: float
    source: Source


def find_speed(spec: GameSpec, runs: Path, catalogue: Sequence[GameSpec] = ()) -> Speed:
    """The speed at which `spec` is trained here.

    Without past runs of it, the guess for its kind is scaled by past runs of other games in the `catalogue`.  Reads the
    disk: for the worker.
    """
    by_game = speeds_of_runs(runs)
    if own := by_game.get(spec.id):
        return Speed(median(own), Source.RUNS)
    guesses = {game.id: _guess(game) for game in catalogue}
    shares = [speed / guesses[game] for game, speeds in by_game.items() if game in guesses for speed in speeds]
    if shares:
        return Speed(_guess(spec) * median(shares), Source.OTHERS)
    return Speed(_guess(spec), Source.GUESS)


def _guess(spec: GameSpec) -> float:
    return BATCHED if spec.batch else PICTURES if spec.family in PICTURE_FAMILIES else PLAIN


def speeds_of_runs(runs: Path) -> dict[str, list[float]]:
    """The mean speeds of the newest runs, by game."""
    metrics = sorted(runs.glob(f"*/{METRICS}"), key=written_at, reverse=True)
    found: dict[str, list[float]] = {}
    for path in metrics[:MOST_READ]:
        speeds = found.setdefault(str(_game(path.parent)), [])
        if len(speeds) < MOST_RUNS and (speed := _measured(path)):
            speeds.append(speed)
    return {game: speeds for game, speeds in found.items() if speeds}


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
