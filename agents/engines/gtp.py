"""A go engine over GTP 2: https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

import numpy as np

from agents.engines.engine import NEW_GROUP, EngineError, EngineProcess, end_group, expect_legal, shape_of
from agents.engines.go_planes import COLUMNS, PLANES, GoView, Move, action_at, read_view, stones, vertex
from agents.engines.settings import EngineSettings
from agents.seats.controller import ControllerError, SeatSpec, Turn

_MAX_BYTES = 1 << 16  # of an answer


def starter(seat: SeatSpec, command: Sequence[str], settings: EngineSettings) -> Callable[[], EngineProcess]:
    """Return a function that starts the engine; raises ControllerError if the seat is not of PettingZoo's go."""
    shape, actions = shape_of(seat)
    size = shape[0] if shape else 0
    if tuple(shape) != (size, size, PLANES) or actions != size * size + 1 or size > len(COLUMNS):
        raise ControllerError(f"expected a seat of classic/go_v5 for a GTP engine, got: {seat.game}")
    return lambda: GtpEngine(command, settings, size=size)


class RefusedError(EngineError):
    """The engine rejected a command."""


class GtpEngine(EngineProcess):
    """A go engine started by `command`; raises EngineError if that cannot be run."""

    def __init__(self, command: Sequence[str], settings: EngineSettings, *, size: int) -> None:
        self._settings, self._size = settings, size
        self._last: tuple[GoView, Move] | None = None  # the last turn and its answer, both known to the engine
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **NEW_GROUP
            )
        except OSError as error:
            raise EngineError(str(error)) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._output: IO[bytes] = self._process.stdout

    def begin(self, *, seed: int) -> None:
        self._last = None
        self.ask(f"boardsize {self._size}")
        self.ask(f"komi {self._settings.komi:g}")
        self.ask("clear_board")
        if self._settings.level is not None:
            self.ask(f"level {self._settings.level}")
        if self.ask("known_command set_random_seed") == "true":  # GNU Go's own
            self.ask(f"set_random_seed {seed % 2**31}")

    def choose(self, turn: Turn) -> int:
        view = read_view(turn.observation)
        self._update(view)
        answer = self.ask(f"genmove {view.colour}")
        resigns = answer.lower() == "resign"  # not possible in PettingZoo's go
        try:
            action = expect_legal(action_at("pass" if resigns else answer, self._size), turn, answer)
        except ValueError as error:
            raise EngineError(str(error)) from None
        self._last = None if resigns else (view, (view.colour, vertex(action, self._size)))
        return action

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
            end_group(self._process.pid)

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
