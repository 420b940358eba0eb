"""Seat words of engines, ``uci:stockfish?skill=3`` and ``gtp:gnugo?level=1``: which program, how strong, how called."""

from __future__ import annotations

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
"""Where systems put games; not everybody's PATH leads there."""

_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    # Chinese rules, and dead stones are captured before it passes: PettingZoo's go counts what stands on the board.
    "gnugo": ("--mode", "gtp", "--chinese-rules", "--capture-all-dead", "--never-resign"),
}
"""What a program needs behind its name, where a seat word gives nothing."""


@dataclass(frozen=True, kw_only=True)
class EngineSettings:
    """What stands behind an engine's seat word; None is the program's own choice."""

    skill: int | None = None  # UCI "Skill Level": Stockfish 0 to 20
    elo: int | None = None  # UCI "UCI_Elo"
    movetime_ms: int | None = None  # a move; 100 where neither nodes nor depth are given
    nodes: int | None = None  # searched for a move at most; with these a game can be repeated
    depth: int | None = None  # half-moves looked ahead at most
    level: int | None = None  # GTP "level": GNU Go 1 to 10
    komi: float = 7.5  # points for white; PettingZoo's go has 7.5

    @classmethod
    def of(cls, choice: SeatChoice) -> EngineSettings:
        """Those of a seat word; raises SeatError for a value that is none."""
        values: dict[str, Any] = {}
        for name, value in choice.settings:
            values[name] = _half_points(value) if name == "komi" else _whole(name, value)
        if values.get("movetime_ms", 0) > 20_000:
            raise SeatError(f"expected movetime_ms <= 20000, got: {values['movetime_ms']}")
        return cls(**values)


def _whole(name: str, value: str) -> int:
    if not value.isdecimal() or (not int(value) and name not in ("skill", "level")):
        raise SeatError(f"expected a whole number for {name}, got: {value!r}")
    return int(value)


def _half_points(value: str) -> float:
    try:
        komi = float(value)
    except ValueError:
        komi = float("nan")
    if not abs(komi) <= 400:
        raise SeatError(f"expected points for komi, as in 7.5, got: {value!r}")
    return komi


def find_command(words: str) -> tuple[str, ...]:
    """The program and its arguments, the usual ones where none are given; raises ControllerError."""
    name, *arguments = _split(words)
    program = find_program(name)
    if program is None:
        folders = ", ".join(GAMES_FOLDERS)
        raise ControllerError(
            f"expected a program on the PATH or in {folders}, got: {name!r}; install it, or give its path"
        )
    return program, *(arguments or _ARGUMENTS.get(Path(program).stem, ()))


def _split(words: str) -> list[str]:
    """As a shell would; the whole as one word where its quotes do not close."""
    try:
        return shlex.split(words, posix=os.name == "posix") or [words]
    except ValueError:
        return [words]


def find_program(name: str) -> str | None:
    """Its path, None where there is none such."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    return shutil.which(os.path.expanduser(name), path=path)


def label_of(choice: SeatChoice) -> str:
    """``stockfish (skill 3)``: the program and the settings that make it another player."""
    name = Path(_split(choice.argument)[0]).stem
    settings = ", ".join(_setting_words(*setting) for setting in choice.settings)
    return f"{name} ({settings})" if settings else name


def _setting_words(name: str, value: str) -> str:
    if name == "movetime_ms":
        return f"{value} ms"
    return f"{value} nodes" if name == "nodes" else f"{name} {value}"
