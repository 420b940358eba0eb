"""A chess engine over UCI, with python-chess: https://python-chess.readthedocs.io/en/latest/engine.html"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import chess
import chess.engine

from agents.engines.chess_planes import ACTIONS, SHAPE, action_of, read_board
from agents.engines.engine import NEW_GROUP, STALL, EngineError, EngineProcess, end_group, expect_legal, shape_of
from agents.engines.settings import EngineSettings
from agents.seats.controller import ControllerError, SeatSpec, Turn

MOVETIME = 0.1
"""Seconds for a move without a limit in the seat word."""

Result = TypeVar("Result")


def starter(seat: SeatSpec, command: Sequence[str], settings: EngineSettings) -> Callable[[], EngineProcess]:
    """Return a function that starts the engine; raises ControllerError if the seat is not of PettingZoo's chess."""
    shape, actions = shape_of(seat)
    if tuple(shape) != SHAPE or actions != ACTIONS:
        raise ControllerError(f"expected a seat of classic/chess_v6 for a UCI engine, got: {seat.game}")
    return lambda: UciEngine(command, settings)


class UciEngine(EngineProcess):
    """A chess engine run by `command`; `begin` raises EngineError if it does not speak UCI or lacks a setting."""

    def __init__(self, command: Sequence[str], settings: EngineSettings) -> None:
        self._command, self._settings, self._limit = list(command), settings, limit_of(settings)
        self._loop = asyncio.new_event_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._protocol: chess.engine.UciProtocol | None = None
        self._ready = False
        self._killed = False
        self._game = object()
        self._before: chess.Board | None = None  # at the seat's last turn of this game

    async def _start(self) -> None:
        self._transport, self._protocol = await chess.engine.UciProtocol.popen(
            self._command, stderr=subprocess.DEVNULL, **NEW_GROUP
        )
        if self._killed:
            self._kill()
        await self._protocol.initialize()
        try:
            await self._protocol.configure(_options(self._settings, self._protocol))
        except chess.engine.EngineTerminatedError:
            raise
        except chess.engine.EngineError as error:
            raise EngineError(f"rejected settings: {error}") from error
        self._ready = True

    def begin(self, *, seed: int) -> None:
        """Begin a game; UCI has no seeds, and the first move of a new game clears the engine's memory."""
        if not self._ready:
            self._run(self._start())
        self._game = object()
        self._before = None

    def choose(self, turn: Turn) -> int:
        if self._protocol is None:
            raise EngineError("no engine")
        board = self._before = read_board(turn.observation, self._before)
        move = self._run(self._protocol.play(board, self._limit, game=self._game)).move
        if move is None:
            raise EngineError("no move")
        return expect_legal(action_of(move, black=not board.turn), turn, move.uci())

    def kill(self) -> None:
        self._killed = True
        with suppress(RuntimeError):  # the loop is closed: so is the process
            self._loop.call_soon_threadsafe(self._kill)

    def _kill(self) -> None:
        if self._transport is not None and self._transport.get_returncode() is None:
            end_group(self._transport.get_pid())

    def close(self) -> None:
        if self._loop.is_closed():
            return
        self._kill()
        with suppress(EngineError):
            self._run(self._ended())
        self._loop.close()

    async def _ended(self) -> None:
        if self._transport is not None and self._protocol is not None:
            self._transport.close()
            await self._protocol.returncode

    def _run(self, job: Coroutine[Any, Any, Result]) -> Result:
        try:
            return self._loop.run_until_complete(asyncio.wait_for(job, STALL))
        except TimeoutError:
            raise EngineError(f"nothing within {STALL:g} s") from None
        except (chess.engine.EngineError, OSError) as error:
            raise EngineError(str(error)) from error


def limit_of(settings: EngineSettings) -> chess.engine.Limit:
    """Return the limit of a move, from all given settings."""
    movetime = settings.movetime_ms / 1000 if settings.movetime_ms else None
    if movetime is None and settings.nodes is None and settings.depth is None:
        movetime = MOVETIME
    return chess.engine.Limit(time=movetime, nodes=settings.nodes, depth=settings.depth)


def _options(settings: EngineSettings, protocol: chess.engine.UciProtocol) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if "Threads" in protocol.options:
        options["Threads"] = 1  # more would compete with other seats and make games unrepeatable
    if settings.skill is not None:
        options["Skill Level"] = settings.skill
    if settings.elo is not None:
        options |= {"UCI_LimitStrength": True, "UCI_Elo": settings.elo}
    return options
