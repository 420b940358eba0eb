"""Seat words and controllers of engines: chess programs over UCI, go programs over GTP, each in its own process.

An engine gets the seat's observations.  It ends with the seat, or once it is stuck for `STALL` seconds.  If the
arcade is killed its input closes, which ends it too.
"""

from __future__ import annotations

import math
import os
import queue
import shlex
import shutil
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.seats.controller import Action, Controller, ControllerError, SeatChoice, SeatError, SeatSpec, Turn

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")
"""Folders of games, often missing from the PATH."""

_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    # PettingZoo's go scores by area: dead stones must be captured before the engine passes.
    "gnugo": ("--mode", "gtp", "--chinese-rules", "--capture-all-dead", "--never-resign"),
}
"""Default arguments of an engine, for seat words without any."""

_GNU_GO = [SeatChoice("gtp", "gnugo", (("level", str(level)),)) for level in (1, 5, 10)]

OFFERED = {
    "classic/chess_v6": [
        SeatChoice("uci", "stockfish", (("skill", "0"), ("depth", "1"))),  # looks one move ahead
        *(SeatChoice("uci", "stockfish", (("skill", str(skill)),)) for skill in (0, 3, 6, 10, 20)),
    ],
    "classic/go_v5": _GNU_GO,
    "classic/go_9x9_v5": _GNU_GO,
}
"""Game → the engine seats that the arcade offers, the weakest first."""


def present_seats(game: str) -> tuple[SeatChoice, ...]:
    """Return the engine seats that the arcade offers for a game and whose program is installed."""
    return tuple(choice for choice in OFFERED.get(game, ()) if find_program(choice.argument) is not None)


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
    komi: float | None = None  # points for white; None: those of the game

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
            f"expected a program on the PATH or in {folders}, got: {name!r}; install it, or give its path",
            code="not_installed",
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


STALL = 25.0
"""Seconds for one answer, including the engine's start, before it is ended; a match waits 30."""


class EngineError(UserError):
    """An engine that ended, gave no sensible answer, or played an illegal move."""


class Engine(ABC):
    """An engine's process.  `kill` may be called from any thread, the other methods from one."""

    outlook: float | None = None
    """The return that it expected at its newest move, −1 to 1; None for an engine that does not tell."""

    @abstractmethod
    def begin(self, *, seed: int) -> None:
        """Begin a game, the first time after starting the engine; raises EngineError."""

    @abstractmethod
    def choose(self, turn: Turn) -> int:
        """Return the engine's action; raises EngineError without one, also after `kill`."""

    @abstractmethod
    def kill(self) -> None:
        """End the process without waiting for it."""

    @abstractmethod
    def close(self) -> None:
        """End the process and wait for it; may be called twice."""


class EngineController(Controller):
    """A seat played by an engine, which a thread starts, queries and ends.

    `act` raises ControllerError if the engine ends, plays an illegal move or gives no answer for `STALL` seconds; the
    next episode starts it again.
    """

    patience = STALL

    def __init__(self, make: Callable[[], Engine], *, label: str) -> None:
        self.label = label
        self._make, self._clock = make, time.monotonic
        self._engine: Engine | None = None
        self._jobs: queue.SimpleQueue[int | Turn | None] = queue.SimpleQueue()  # seeds begin games
        self._thread: threading.Thread | None = None
        self._turn: Turn | None = None
        self._asked_at = 0.0
        self._answer: tuple[Turn, Action | EngineError] | None = None  # with its turn; written by the thread
        self._closed = False

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        """Begin a game, after starting the engine if needed."""
        self._turn = None
        if self._thread is None or not self._thread.is_alive():
            # A daemon, so that an unclosed seat keeps no process alive; the engine's input closes with it.
            self._thread = threading.Thread(target=self._work, name=self.label, daemon=True)
            self._thread.start()
        self._jobs.put(seed)

    def observe(self, turn: Turn) -> None:
        self._turn, self._asked_at = turn, self._clock()
        self._jobs.put(turn)

    def act(self) -> Action | None:
        if self._turn is None:
            return None
        answer = self._answer
        if answer is not None and answer[0] is self._turn:
            if isinstance(answer[1], EngineError):
                raise ControllerError(f"expected a move from {self.label}, got: {answer[1]}")
            return answer[1]
        if self._clock() - self._asked_at > STALL:
            self._kill()
            raise ControllerError(f"expected a move from {self.label} within {STALL:g} s, got nothing")
        return None

    def outlook(self) -> float | None:
        engine = self._engine
        return None if engine is None else engine.outlook

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._kill()
        if self._thread is not None:
            self._thread.join(STALL)

    def _kill(self) -> None:
        if (engine := self._engine) is not None:
            engine.kill()

    # In the thread

    def _work(self) -> None:
        failure: EngineError | None = None  # at the beginning of the game
        try:
            while (job := self._jobs.get()) is not None and not self._closed:
                if isinstance(job, int):
                    failure = self._begin(job)
                elif job is self._turn:  # else a newer one is in the queue
                    self._answer = job, failure or self._think(job)
        finally:
            self._end()

    def _begin(self, seed: int) -> EngineError | None:
        try:
            if self._engine is None:
                self._engine = self._make()
            if not self._closed:
                self._engine.begin(seed=seed)
        except EngineError as error:
            self._end()
            return error
        return None

    def _think(self, turn: Turn) -> Action | EngineError:
        if self._engine is None:
            return EngineError("nothing: it was ended")
        try:
            return self._engine.choose(turn)
        except EngineError as error:
            self._end()
            return error

    def _end(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()


def as_legal(action: int, turn: Turn, answer: str) -> int:
    """Return the action; raises EngineError, quoting the engine's answer, if it is illegal."""
    mask = turn.action_mask
    if mask is not None and not (0 <= action < len(mask) and mask[action]):
        raise EngineError(f"{answer!r}, which is illegal")
    return action


def shape_of(seat: SeatSpec) -> tuple[Sequence[int], int]:
    """Return the shape of the seat's observations and the number of its actions, () and 0 for other spaces."""
    return getattr(seat.observation_space, "shape", None) or (), int(getattr(seat.action_space, "n", 0))
