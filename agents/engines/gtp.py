"""A go engine over GTP 2: https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html

Planes and actions of PettingZoo's go: https://pettingzoo.farama.org/environments/classic/go/ and its ``go.py``.  A
position is int8 (size, size), row 0 on top: 1 where a black stone is, -1 where a white one is.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from agents.engines.engine import Engine, EngineError, EngineSettings, as_legal, shape_of
from agents.engines.komi import komi_of
from agents.platform import system
from agents.platform.children import start_program
from agents.seats.controller import ControllerError, SeatSpec, Turn, TurnClock

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # without I
PLANES = 17
"""Two for each of the last eight positions, newest first: stones of the side that moved, of the other; colour."""

Position = NDArray[np.int8]
Move = tuple[str, str]
"""``black`` or ``white``, and a vertex or ``pass``."""


@dataclass(frozen=True, slots=True)
class GoView:
    """The contents of an observation."""

    colour: str  # of the side to move: black or white
    positions: tuple[Position, ...]  # after each of the last eight moves, the newest last; empty boards before those

    @property
    def moves(self) -> list[Move]:
        """The seven moves between the positions; those before the first of a short game look like passes."""
        colours = cycle((other(self.colour), self.colour))  # from the newest move backwards
        steps = zip(colours, pairwise(reversed(self.positions)), strict=False)
        return [(colour, _vertex(before, after, colour)) for colour, (after, before) in steps][::-1]


def other(colour: str) -> str:
    return "white" if colour == "black" else "black"


def read_view(observation: NDArray[Any]) -> GoView:
    """Read an observation, bool (size, size, 17)."""
    colour = "white" if observation[0, 0, PLANES - 1] else "black"
    positions = []
    for at in range(0, PLANES - 1, 2):
        mover = other(colour) if at % 4 == 0 else colour
        own, theirs = (observation[:, :, at + i].astype(np.int8) for i in (0, 1))
        positions.append(own - theirs if mover == "black" else theirs - own)
    return GoView(colour, tuple(reversed(positions)))


def stones(position: Position) -> list[Move]:
    """Return moves that set up the position on an empty board; in any order they capture nothing."""
    size, stones = len(position), position.ravel()
    return [("black" if stones[at] > 0 else "white", vertex(at, size)) for at in np.flatnonzero(stones).tolist()]


def _vertex(before: Position, after: Position, colour: str) -> str:
    new = np.flatnonzero((after == (1 if colour == "black" else -1)) & (before == 0))
    return vertex(int(new[0]), len(after)) if len(new) == 1 else "pass"


def vertex(action: int, size: int) -> str:
    """Return the vertex of an action, ``pass`` for the last one."""
    row, column = divmod(action, size)
    return "pass" if row == size else f"{COLUMNS[column]}{size - row}"


def action_at(word: str, size: int) -> int:
    """Return the action of a vertex; raises ValueError for any other word."""
    letter, number = word[:1].upper(), word[1:]
    if word.lower() == "pass":
        return size * size
    if letter and letter in COLUMNS[:size] and number.isdecimal() and 1 <= int(number) <= size:
        return (size - int(number)) * size + COLUMNS.index(letter)
    raise ValueError(f"expected a vertex from A1 to {COLUMNS[size - 1]}{size} or pass, got: {word[:40]!r}")


_MAX_BYTES = 1 << 16  # of an answer


def starter(seat: SeatSpec, command: Sequence[str], settings: EngineSettings) -> Callable[[], Engine]:
    """Return a function that starts the engine; raises ControllerError if the seat is not of PettingZoo's go."""
    shape, actions = shape_of(seat)
    size = shape[0] if shape else 0
    if tuple(shape) != (size, size, PLANES) or actions != size * size + 1 or size > len(COLUMNS):
        raise ControllerError(f"expected a seat of classic/go_v5 for a GTP engine, got: {seat.game}")
    return lambda: GtpEngine(command, settings, size=size)


class RefusedError(EngineError):
    """The engine rejected a command."""


class GtpEngine(Engine):
    """A go engine started by `command`; raises EngineError if that cannot be run."""

    def __init__(self, command: Sequence[str], settings: EngineSettings, *, size: int) -> None:
        self._settings, self._size = settings, size
        self._last: tuple[GoView, Move] | None = None  # the last turn and its answer, both known to the engine
        self._has_clocks: bool | None = None  # None before the first turn with one
        try:
            self._process = start_program(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **system.new_group
            )
        except OSError as error:
            raise EngineError(str(error)) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._output: IO[bytes] = self._process.stdout

    def begin(self, *, seed: int) -> None:
        self._last = self._has_clocks = None
        self.ask(f"boardsize {self._size}")
        self.ask(f"komi {komi_of(self._size) if self._settings.komi is None else self._settings.komi:g}")
        self.ask("clear_board")
        if self._settings.level is not None:
            self.ask(f"level {self._settings.level}")
        if self._understands("set_random_seed"):  # GNU Go's own
            self.ask(f"set_random_seed {seed % 2**31}")

    def choose(self, turn: Turn) -> int:
        view = read_view(turn.observation)
        self._update(view)
        if turn.clock is not None:
            self._tell_clocks(view.colour, turn.clock)
        answer = self.ask(f"genmove {view.colour}")
        resigns = answer.lower() == "resign"  # not possible in PettingZoo's go
        try:
            action = as_legal(action_at("pass" if resigns else answer, self._size), turn, answer)
        except ValueError as error:
            raise EngineError(str(error)) from None
        self._last = None if resigns else (view, (view.colour, vertex(action, self._size)))
        return action

    def _understands(self, command: str) -> bool:
        return self.ask(f"known_command {command}") == "true"

    def _tell_clocks(self, colour: str, clock: TurnClock) -> None:
        """Tell the time of both sides; an increment, which GTP 2 lacks, to engines that know KataGo's command."""
        if self._has_clocks is None:
            self._has_clocks = self._understands("time_left") and self._begin_clocks(clock)
        if self._has_clocks:
            for side, left in ((colour, clock.own), (other(colour), clock.other)):
                self.ask(f"time_left {side} {max(1, int(left))} 0")

    def _begin_clocks(self, clock: TurnClock) -> bool:
        if clock.increment and self._understands("kata-time_settings"):
            self.ask(f"kata-time_settings fischer {clock.own:.0f} {clock.increment:g}")
        else:
            self.ask(f"time_settings {clock.own:.0f} 0 0")
        return True

    def _update(self, view: GoView) -> None:
        """Send the opponent's move, or the whole position if anything else has changed."""
        try:
            if self._last is not None and self._follows(view, *self._last):
                self._play(view.moves[-1:])
            else:
                self._set_up([*stones(view.positions[0]), *_from_first_stone(view)])
        except RefusedError:  # by stricter rules, such as superko: send the stones alone
            self._set_up(stones(view.positions[-1]))

    def _set_up(self, moves: list[Move]) -> None:
        self.ask("clear_board")
        self._play(moves)

    def _play(self, moves: list[Move]) -> None:
        for colour, where in moves:
            self.ask(f"play {colour} {where}")

    def _follows(self, view: GoView, last: GoView, answer: Move) -> bool:
        same = np.array_equal(view.positions[-3], last.positions[-1])
        return view.colour == last.colour and same and view.moves[-2] == answer

    def ask(self, command: str) -> str:
        """Return the engine's answer, without its status character; raises EngineError for a failure."""
        try:
            self._input.write(f"{command}\n".encode())
            self._input.flush()
            answer = self._answer()
        except (OSError, ValueError):  # ValueError: closed
            answer = ""
        if answer[:1] not in ("=", "?"):
            raise EngineError(f"{answer[:80]!r} to {command!r}" if answer else f"its end at {command!r}")
        if answer[0] == "?":
            raise RefusedError(f"{answer[1:].strip()[:200]!r} to {command!r}")
        return answer[1:].strip()

    def _answer(self) -> str:
        """Read the lines up to an empty one; "" if the engine ended."""
        lines: list[bytes] = []
        size = 0
        while (line := self._output.readline(_MAX_BYTES)) and size < _MAX_BYTES:
            size += len(line)
            if line.strip():
                lines.append(line)
            elif lines:
                return b"".join(lines).decode(errors="replace").strip()
        return b"".join(lines[:1]).decode(errors="replace").strip() if size >= _MAX_BYTES else ""

    def kill(self) -> None:
        if self._process.poll() is None:
            system.end_group(self._process.pid)

    def close(self) -> None:
        self.kill()
        self._process.wait()
        for pipe in (self._input, self._output):
            with suppress(OSError):  # unsent input
                pipe.close()


def _from_first_stone(view: GoView) -> list[Move]:
    """Return the moves without the apparent passes before the first stone of a short game."""
    moves = view.moves
    if view.positions[0].any():
        return moves
    first = next((at for at, (_, where) in enumerate(moves) if where != "pass"), len(moves))
    return moves[first:]
