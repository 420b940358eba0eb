"""A go program over GTP 2: https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

import numpy as np

from agents.engines.engine import APART, EngineError, EngineProcess, end_group, expect_legal, shape_of
from agents.engines.go_planes import COLUMNS, PLANES, GoView, Move, action_at, read_view, stones, vertex
from agents.engines.settings import EngineSettings
from agents.seats.controller import ControllerError, SeatSpec, Turn

_LONGEST = 1 << 16
"""Bytes of an answer at most."""


def board_size(seat: SeatSpec) -> int:
    """The size of the board; raises ControllerError where the seat is none of PettingZoo's go."""
    shape, actions = shape_of(seat)
    size = shape[0] if shape else 0
    if tuple(shape) != (size, size, PLANES) or actions != size * size + 1 or size > len(COLUMNS):
        raise ControllerError(f"expected a seat of classic/go_v5 for a program that speaks GTP, got: {seat.game}")
    return size


class RefusedError(EngineError):
    """The program knows no such command, or will not have it there."""


class GtpEngine(EngineProcess):
    """Starts `command`; raises EngineError where that cannot be run."""

    def __init__(self, command: Sequence[str], settings: EngineSettings, *, size: int) -> None:
        self._settings, self._size = settings, size
        self._last: tuple[GoView, Move] | None = None  # what was seen at the last turn, and the answer: it knows both
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **APART
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
        self._show(view)
        said = self.ask(f"genmove {view.colour}")
        word = "pass" if said.lower() == "resign" else said  # PettingZoo's go knows no resigning
        try:
            action = expect_legal(action_at(word, self._size), turn, said)
        except ValueError as error:
            raise EngineError(str(error)) from None
        self._last = None if said.lower() == "resign" else (view, (view.colour, vertex(action, self._size)))
        return action

    def _show(self, view: GoView) -> None:
        """Tell the program what has happened: the other side's move, or all where something else came between."""
        try:
            if self._last is not None and self._follows(view, *self._last):
                self._play(view.moves[-1:])
            else:
                self._set_up([*stones(view.positions[0]), *_from_first_stone(view)])
        except RefusedError:  # it knows stricter rules, such as superko: then what stands there must do
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
        """What the program answers to a command, without the sign before it; raises EngineError where it fails."""
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
        """The lines up to an empty one; "" where the program ended."""
        lines: list[bytes] = []
        size = 0
        while (line := self._output.readline(_LONGEST)) and size < _LONGEST:
            size += len(line)
            if line.strip():
                lines.append(line)
            elif lines:
                return b"".join(lines).decode(errors="replace").strip()
        return b"".join(lines[:1]).decode(errors="replace").strip() if size >= _LONGEST else ""

    def kill(self) -> None:
        if self._process.poll() is None:
            end_group(self._process.pid)

    def close(self) -> None:
        self.kill()
        self._process.wait()
        for pipe in (self._input, self._output):
            with suppress(OSError):  # what had not been sent finds nobody
                pipe.close()


def _from_first_stone(view: GoView) -> list[Move]:
    """The moves without those before a young game began, which look like passes."""
    moves = view.moves
    if view.positions[0].any():
        return moves
    first = next((at for at, (_, where) in enumerate(moves) if where != "pass"), len(moves))
    return moves[first:]
