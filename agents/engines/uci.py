"""A chess engine over UCI, with python-chess: https://python-chess.readthedocs.io/en/latest/engine.html

Planes and actions of PettingZoo's chess: https://pettingzoo.farama.org/environments/classic/chess/ and its
``chess_utils.py``; both are from the view of the side to move, whose pieces come first and whose first rank is the last
row.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import chess
import chess.engine
import numpy as np
from numpy.typing import NDArray

from agents.engines.engine import STALL, Engine, EngineError, EngineSettings, as_legal, shape_of
from agents.platform import system
from agents.seats.controller import ControllerError, SeatSpec, Turn, TurnClock

SHAPE = (8, 8, 111)
"""Rows from the far rank, columns from the a-file, planes."""
ACTIONS = 8 * 8 * 73

_PLAIN = 7  # planes before the boards: both sides' castling rights, colour, clock, ones
_A_BOARD = 13  # planes: own pawn … king, their pawn … king, repetition
_BOARDS = 8
_HOMES = (chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8)  # rooks that may still castle, by planes 0 to 3
_BLACK, _CLOCK = 4, 5


def read_board(observation: NDArray[Any], before: chess.Board | None = None) -> chess.Board:
    """Return the board of an observation, bool (8, 8, 111), for the side to move.

    It has the moves that follow from the planes: all in the first eight moves of a game, else those since `before`, the
    board at the seat's last turn.  Without them the fifty-move clock may be one too low, since its plane counts in
    twos, and the move number is unknown.
    """
    black = bool(observation[0, 0, _BLACK])
    seen = _boards(observation, black)
    for start, led in ((chess.Board() if len(seen) < _BOARDS else None, seen), (before, seen[-2:])):
        board = _follow(start, led) if start is not None else None
        if board is not None and board.turn is not black:
            return board
    return _single(observation, seen[-1], black)


def action_of(move: chess.Move, *, black: bool) -> int:
    """Return the action of a move; see `chess_utils.get_move_plane`."""
    start, end = (chess.square_mirror(s) if black else s for s in (move.from_square, move.to_square))
    column, row = chess.square_file(start), chess.square_rank(start)
    return (column * 8 + row) * 73 + _plane(chess.square_file(end) - column, chess.square_rank(end) - row, move)


def _plane(x: int, y: int, move: chess.Move) -> int:
    if {abs(x), abs(y)} == {1, 2}:
        return 56 + [(a, b) for a in range(-2, 3) for b in range(-2, 3) if abs(a) + abs(b) == 3].index((x, y))
    if move.promotion in (chess.KNIGHT, chess.BISHOP, chess.ROOK):
        return 64 + 3 * (x + 1) + move.promotion - chess.KNIGHT
    ways = [(a, b) for a in range(-1, 2) for b in range(-1, 2) if a or b]
    return (max(abs(x), abs(y)) - 1) * 8 + ways.index((int(np.sign(x)), int(np.sign(y))))


def _boards(observation: NDArray[Any], black: bool) -> list[chess.BaseBoard]:
    """Return the boards after the last moves, eight at most, the newest last."""
    masks = _masks(observation[:, :, _PLAIN : _PLAIN + _BOARDS * _A_BOARD])
    rows = [masks[at : at + 12] for at in range(0, len(masks), _A_BOARD)]
    return [_base_board(row, black) for row in reversed(rows) if any(row)]


def _masks(planes: NDArray[Any]) -> list[int]:
    """Return each plane of (8, 8, n) as a bitboard: bit 0 is a1, bit 63 h8."""
    bits = np.packbits(planes[::-1].reshape(64, -1).T.astype(bool), axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in bits]


def _base_board(masks: list[int], black: bool) -> chess.BaseBoard:
    """Return the board of 12 bitboards, mirrored for black."""
    own, theirs = masks[:6], masks[6:]
    # A pawn that can be captured en passant is shown on its own side's first rank.
    own[0] = own[0] & ~chess.BB_RANK_1 | (own[0] & chess.BB_RANK_1) << 24
    theirs[0] = theirs[0] & ~chess.BB_RANK_8 | (theirs[0] & chess.BB_RANK_8) >> 24
    board = chess.BaseBoard.empty()
    both = [one | other for one, other in zip(own, theirs, strict=True)]
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = both
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = sum(own), sum(theirs)
    board.occupied = sum(both)
    return board.mirror() if black else board


def _follow(start: chess.Board, led: list[chess.BaseBoard]) -> chess.Board | None:
    """Return `start` with legal moves through those boards, or None."""
    board = start.copy()
    for seen in led:
        move = next((move for move in board.legal_moves if _reaches(board, move, seen)), None)
        if move is None:
            return None
        board.push(move)
    return board


def _reaches(board: chess.Board, move: chess.Move, seen: chess.BaseBoard) -> bool:
    if seen.occupied & chess.BB_SQUARES[move.from_square] or not seen.occupied & chess.BB_SQUARES[move.to_square]:
        return False
    board.push(move)
    same = chess.BaseBoard.__eq__(seen, board)  # pieces alone
    board.pop()
    return same


def _single(observation: NDArray[Any], pieces: chess.BaseBoard, black: bool) -> chess.Board:
    board = chess.Board(None)
    board.set_board_fen(pieces.board_fen())
    board.turn = not black
    rights = sum(home for home, plane in zip(_HOMES, observation[0, 0, :4], strict=True) if plane)
    board.castling_rights = chess.flip_vertical(rights) if black else rights
    clock = _masks(observation[:, :, _CLOCK : _CLOCK + 1])[0]
    board.halfmove_clock = 2 * chess.lsb(chess.flip_vertical(clock) if black else clock)
    board.ep_square = _en_passant_square(observation, black)
    return board


def _en_passant_square(observation: NDArray[Any], black: bool) -> chess.Square | None:
    shown = _masks(observation[:, :, _PLAIN + 6 : _PLAIN + 7])[0] & chess.BB_RANK_8
    if not shown:
        return None
    square = chess.square(chess.square_file(chess.msb(shown)), 5)
    return chess.square_mirror(square) if black else square


MOVETIME = 0.1
"""Seconds for a move without a limit in the seat word."""

Result = TypeVar("Result")


def starter(seat: SeatSpec, command: Sequence[str], settings: EngineSettings) -> Callable[[], Engine]:
    """Return a function that starts the engine; raises ControllerError if the seat is not of PettingZoo's chess."""
    shape, actions = shape_of(seat)
    if tuple(shape) != SHAPE or actions != ACTIONS:
        raise ControllerError(f"expected a seat of classic/chess_v6 for a UCI engine, got: {seat.game}")
    return lambda: UciEngine(command, settings)


class UciEngine(Engine):
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
            system.tied(self._command), stderr=subprocess.DEVNULL, **system.new_group
        )
        system.adopt(self._transport.get_pid())
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
        self._before = self.outlook = None

    def choose(self, turn: Turn) -> int:
        if self._protocol is None:
            raise EngineError("no engine")
        board = self._before = read_board(turn.observation, self._before)
        wanted = chess.engine.INFO_SCORE
        limit = self._limit
        if turn.clock is not None:
            limit = clocked(limit, turn.clock, self._settings, black=not board.turn)
        played = self._run(self._protocol.play(board, limit, game=self._game, info=wanted))
        move, self.outlook = played.move, _outlook(played.info)
        if move is None:
            raise EngineError("no move")
        return as_legal(action_of(move, black=not board.turn), turn, move.uci())

    def kill(self) -> None:
        self._killed = True
        with suppress(RuntimeError):  # the loop is closed: so is the process
            self._loop.call_soon_threadsafe(self._kill)

    def _kill(self) -> None:
        if self._transport is not None and self._transport.get_returncode() is None:
            system.end_group(self._transport.get_pid())

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


def clocked(
    limit: chess.engine.Limit, clock: TurnClock, settings: EngineSettings, *, black: bool
) -> chess.engine.Limit:
    """Return the limit of a move with both clocks; the time for a move is the engine's own where none is set."""
    white, other = (clock.other, clock.own) if black else (clock.own, clock.other)
    return replace(
        limit, white_clock=white, black_clock=other, white_inc=clock.increment, black_inc=clock.increment,
        time=settings.movetime_ms / 1000 if settings.movetime_ms else None,
    )  # fmt: skip


def _outlook(info: chess.engine.InfoDict) -> float | None:
    """Return what the engine expects, −1 (a loss) to 1 (a win), from the score of its search."""
    score = info.get("score")
    return None if score is None else 2 * score.relative.wdl().expectation() - 1


def _options(settings: EngineSettings, protocol: chess.engine.UciProtocol) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if "Threads" in protocol.options:
        options["Threads"] = 1  # more would compete with other seats and make games unrepeatable
    if settings.skill is not None:
        options["Skill Level"] = settings.skill
    if settings.elo is not None:
        options |= {"UCI_LimitStrength": True, "UCI_Elo": settings.elo}
    return options
