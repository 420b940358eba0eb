"""Programs that play chess over UCI and go over GTP, as seats; each thinks in a process of its own.

A program is found on the PATH or where games are put, sees what the seat sees, and never outlives the seat: it is ended
with it, and its input closes however the arcade ends.
"""

from __future__ import annotations

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

from agents.controller import Action, Controller, ControllerError, SeatChoice, SeatError, SeatSpec, Turn, parse_seat
from agents.errors import UserError

STALL = 25.0
"""Seconds for one answer, the program's start included, after which it is ended; a match waits 30."""

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")
"""Where systems put games; not everybody's PATH leads there."""

KNOWN_SEATS: Mapping[str, tuple[str, ...]] = {
    "classic/chess_v6": tuple(f"uci:stockfish?skill={skill}" for skill in (0, 3, 6, 10, 20)),
    "classic/go_v5": tuple(f"gtp:gnugo?level={level}" for level in (1, 5, 10)),
}
"""Game to the engine seats that the arcade offers, the weakest first, where their program is present."""

_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    # Chinese rules, and dead stones are captured before it passes: PettingZoo's go counts what stands on the board.
    "gnugo": ("--mode", "gtp", "--chinese-rules", "--capture-all-dead", "--never-resign"),
}
"""What a program needs behind its name, where a seat word gives nothing."""


class EngineError(UserError):
    """A program that ended, made no sense or played what is not legal."""


class Engine(ABC):
    """A program, made without waiting for it.  All calls come from one thread, `kill` from any."""

    @abstractmethod
    def begin(self, *, seed: int) -> None:
        """A new game; the first one starts it.  Raises EngineError."""

    @abstractmethod
    def choose(self, turn: Turn) -> int:
        """Its action; raises EngineError where it has none, or `kill` ended it."""

    @abstractmethod
    def kill(self) -> None:
        """End the process without waiting: `begin` and `choose` raise then."""

    @abstractmethod
    def close(self) -> None:
        """End the process and wait for its end; twice does no harm."""


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


def make_engine(choice: SeatChoice, seat: SeatSpec) -> EngineController:
    """The controller of a ``uci:`` or ``gtp:`` seat.

    Raises SeatError for settings that are none, ControllerError where there is no such program, or it does not play the
    seat's game.
    """
    settings, command = EngineSettings.of(choice), find_command(choice.argument)
    if choice.kind == "uci":
        from agents.uci import UciEngine, check_seat  # python-chess takes long to import

        check_seat(seat)
        return EngineController(lambda: UciEngine(command, settings), label=label_of(choice))
    from agents.gtp import GtpEngine, board_size

    size = board_size(seat)
    return EngineController(lambda: GtpEngine(command, settings, size=size), label=label_of(choice))


def find_command(words: str) -> tuple[str, ...]:
    """The program and its arguments, the usual ones where none are given; raises ControllerError."""
    try:
        name, *arguments = shlex.split(words, posix=os.name == "posix")
    except ValueError as error:
        raise ControllerError(f"expected a program and its arguments, got {words!r}: {error}") from None
    program = find_program(name)
    if program is None:
        folders = ", ".join(GAMES_FOLDERS)
        raise ControllerError(
            f"expected a program on the PATH or in {folders}, got: {name!r}; install it, or give its path"
        )
    return program, *(arguments or _ARGUMENTS.get(Path(program).stem, ()))


def find_program(name: str) -> str | None:
    """Its path, None where there is none such."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    return shutil.which(os.path.expanduser(name), path=path)


def present_seats(game: str) -> tuple[SeatChoice, ...]:
    """The engine seats to offer for a game: those whose program is on this machine."""
    choices = [parse_seat(word) for word in KNOWN_SEATS.get(game, ())]
    return tuple(choice for choice in choices if find_program(choice.argument) is not None)


def label_of(choice: SeatChoice) -> str:
    """``stockfish (skill 3)``: the program and the settings that make it another player."""
    name = Path(shlex.split(choice.argument, posix=os.name == "posix")[0]).stem
    settings = ", ".join(_setting_words(*setting) for setting in choice.settings)
    return f"{name} ({settings})" if settings else name


def _setting_words(name: str, value: str) -> str:
    if name == "movetime_ms":
        return f"{value} ms"
    return f"{value} nodes" if name == "nodes" else f"{name} {value}"


@dataclass(frozen=True, slots=True)
class _Begin:
    """An episode begins."""

    seed: int


class EngineController(Controller):
    """A seat whose moves a program chooses, in a thread that starts it, asks it and ends it.

    `make` starts the program; `label` names it.  Where it ends, answers what is not legal or says nothing for `STALL`
    seconds, `act` raises ControllerError; the next episode starts it afresh.
    """

    def __init__(self, make: Callable[[], Engine], *, label: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.label = label
        self._make, self._clock = make, clock
        self._engine: Engine | None = None
        self._jobs: queue.SimpleQueue[_Begin | Turn | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._turn: Turn | None = None
        self._asked_at = 0.0
        self._answer: tuple[Turn, Action | EngineError] | None = None  # the worker's, to the turn beside it
        self._closed = False

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        """Starts the program where it does not run."""
        self._turn = None
        if self._thread is None:
            # A daemon, so that a seat that nobody closes keeps no process alive; the program's input closes with it.
            self._thread = threading.Thread(target=self._work, name=self.label, daemon=True)
            self._thread.start()
        self._jobs.put(_Begin(seed))

    def observe(self, turn: Turn) -> None:
        self._turn, self._asked_at = turn, self._clock()
        self._jobs.put(turn)

    def act(self) -> Action | None:
        if self._turn is None:
            return None
        answer = self._answer
        if answer is None or answer[0] is not self._turn:
            self._watch()
            return None
        if isinstance(answer[1], EngineError):
            raise ControllerError(f"expected a move from {self.label}, got: {answer[1]}")
        return answer[1]

    def _watch(self) -> None:
        """It thinks: not for ever."""
        if self._clock() - self._asked_at > STALL:
            self._kill()
            raise ControllerError(f"expected a move from {self.label} within {STALL:g} s, got nothing")

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._kill()
        if self._thread is not None:
            self._thread.join(STALL)

    def _kill(self) -> None:
        engine = self._engine
        if engine is not None:
            engine.kill()

    # In the thread

    def _work(self) -> None:
        trouble: EngineError | None = None  # of the episode's beginning
        try:
            while (job := self._jobs.get()) is not None and not self._closed:
                if isinstance(job, _Begin):
                    trouble = self._begin(job)
                elif job is self._turn:  # else another one waits already
                    self._answer = job, trouble or self._think(job)
        finally:
            self._end()

    def _begin(self, job: _Begin) -> EngineError | None:
        try:
            if self._engine is None:
                self._engine = self._make()
            if not self._closed:
                self._engine.begin(seed=job.seed)
        except EngineError as error:
            self._end()
            return error
        return None

    def _think(self, turn: Turn) -> Action | EngineError:
        if self._engine is None:
            return EngineError("nothing: it had to be ended")
        try:
            action = self._engine.choose(turn)
        except EngineError as error:
            self._end()
            return error
        return action

    def _end(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()


def expect_legal(action: int, turn: Turn, said: str) -> int:
    """`action`; raises EngineError, quoting what the program `said`, where the turn's mask forbids it."""
    if turn.action_mask is not None and not turn.action_mask[action]:
        raise EngineError(f"{said!r}, which is not legal there")
    return action


def shape_of(seat: SeatSpec) -> tuple[Sequence[int], int]:
    """The shape of the seat's observations and the number of its actions, () and 0 where it has no such thing."""
    return getattr(seat.observation_space, "shape", None) or (), int(getattr(seat.action_space, "n", 0))
