"""Seat words of engines, ``uci:stockfish?skill=3`` and ``gtp:gnugo?level=1``: the program, its strength, its label."""

from __future__ import annotations

import math
import os
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.seats.choice import SeatChoice, SeatError
from agents.seats.controller import ControllerError

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")
"""Folders of games, often missing from the PATH."""

_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    # PettingZoo's go scores by area: dead stones must be captured before the engine passes.
    "gnugo": ("--mode", "gtp", "--chinese-rules", "--capture-all-dead", "--never-resign"),
}
"""Default arguments of an engine, for seat words without any."""

_KNOWN_SEATS = {
    "classic/chess_v6": [SeatChoice("uci", "stockfish", (("skill", str(skill)),)) for skill in (0, 3, 6, 10, 20)],
    "classic/go_v5": [SeatChoice("gtp", "gnugo", (("level", str(level)),)) for level in (1, 5, 10)],
}
"""Game → the engine seats that the arcade offers, the weakest first."""


def present_seats(game: str) -> tuple[SeatChoice, ...]:
    """Return the engine seats that the arcade offers for a game and whose program is installed."""
    return tuple(choice for choice in _KNOWN_SEATS.get(game, ()) if find_program(choice.argument) is not None)


_RANGES = {"skill": (0, math.inf), "level": (0, math.inf), "movetime_ms": (1, 20_000), "komi": (-400, 400)}


@dataclass(frozen=True, kw_only=True)
class EngineSettings:
    """The options of an engine's seat word; None leaves the engine's default."""

    skill: int | None = None  # UCI "Skill Level": Stockfish 0 to 20
    elo: int | None = None  # UCI "UCI_Elo"
    movetime_ms: int | None = None  # for a move; 100 without nodes and depth
    nodes: int | None = None  # most nodes searched for a move; makes games repeatable
    depth: int | None = None  # most half-moves searched
    level: int | None = None  # GTP "level": GNU Go 1 to 10
    komi: float = 7.5  # points for white, as in PettingZoo's go

    @classmethod
    def of(cls, choice: SeatChoice) -> EngineSettings:
        """Read them from a seat word; raises SeatError for a wrong value."""
        return cls(**{name: _number(name, value) for name, value in choice.settings})


def _number(name: str, value: str) -> Any:
    low, high = _RANGES.get(name, (1, math.inf))
    try:
        number = float(value) if name == "komi" else int(value)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise SeatError(f"expected {low} <= {name} <= {high}, got: {value!r}")
    return number


def find_command(words: str) -> tuple[str, ...]:
    """Return the program and its arguments, by default the usual ones; raises ControllerError if not installed."""
    name, *arguments = _split(words)
    program = find_program(name)
    if program is None:
        folders = ", ".join(GAMES_FOLDERS)
        raise ControllerError(
            f"expected a program on the PATH or in {folders}, got: {name!r}; install it, or give its path"
        )
    return program, *(arguments or _ARGUMENTS.get(Path(program).stem, ()))


def _split(words: str) -> list[str]:
    """Split words as a shell does; those with an open quote stay one word."""
    try:
        return shlex.split(words, posix=os.name == "posix") or [words]
    except ValueError:
        return [words]


def find_program(name: str) -> str | None:
    """Return the path of a program, or None."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    return shutil.which(os.path.expanduser(name), path=path)


def label_of(choice: SeatChoice) -> str:
    """Return the ladder's label, such as ``stockfish (skill 3)``."""
    name = Path(_split(choice.argument)[0]).stem
    units = {"movetime_ms": "{} ms", "nodes": "{} nodes"}
    settings = ", ".join(units.get(option, f"{option} {{}}").format(value) for option, value in choice.settings)
    return f"{name} ({settings})" if settings else name
