"""A player of chess: alpha-beta search with quiescence on python-chess, for machines without a chess engine.

Material and squares are valued by the Simplified Evaluation Function (Tomasz Michniewski,
https://www.chessprogramming.org/Simplified_Evaluation_Function), in hundredths of a pawn.
"""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from agents.engines.uci import action_of, read_board
from arcade.games.players.budget import Budget, OutOfBudgetError
from arcade.games.players.mistakes import BEGINNER, level_now

POSITIONS = {"easy": 60, "normal": 500, "hard": 4_000, "expert": 20_000}
"""Positions that a level searches for a move; the most take about a second in Python."""

_MATE = 100_000
_FANCY = 50  # standard deviation of a beginner's liking
_VALUES = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
# Ranks 8 to 1, files a to d; the other half mirrors it.
_HALVES = {
    chess.PAWN: "0 0 0 0 50 50 50 50 10 10 20 30 5 5 10 25 0 0 0 20 5 -5 -10 0 5 10 10 -20 0 0 0 0",
    chess.KNIGHT: "-50 -40 -30 -30 -40 -20 0 0 -30 0 10 15 -30 5 15 20 -30 0 15 20 -30 5 10 15 -40 -20 0 5 "
    "-50 -40 -30 -30",
    chess.BISHOP: "-20 -10 -10 -10 -10 0 0 0 -10 0 5 10 -10 5 5 10 -10 0 10 10 -10 10 10 10 -10 5 0 0 -20 -10 -10 -10",
    chess.ROOK: "0 0 0 0 5 10 10 10 -5 0 0 0 -5 0 0 0 -5 0 0 0 -5 0 0 0 -5 0 0 0 0 0 0 5",
    chess.QUEEN: "-20 -10 -10 -5 -10 0 0 0 -10 0 5 5 -5 0 5 5 -5 0 5 5 -10 0 5 5 -10 0 0 0 -20 -10 -10 -5",
    chess.KING: "-30 -40 -40 -50 -30 -40 -40 -50 -30 -40 -40 -50 -30 -40 -40 -50 -20 -30 -30 -40 -10 -20 -20 -20 "
    "20 20 0 0 20 30 10 0",
}
_ENDGAME_KING = (
    "-50 -40 -30 -20 -30 -20 -10 0 -30 -10 20 30 -30 -10 30 40 -30 -10 30 40 -30 -10 20 30 -30 -30 0 0 -50 -30 -30 -30"
)
_ENDGAME = 1300
"""Material without pawns and kings, of both sides, below which kings go to the middle."""


def _by_square(half: str, value: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The worth of a piece on each square, a1 first, for black and for white."""
    rows = [[int(one) for one in half.split()[start : start + 4]] for start in range(0, 32, 4)]
    black = tuple(value + one for row in rows for one in (*row, *reversed(row)))
    return black, tuple(black[chess.square_mirror(square)] for square in chess.SQUARES)


_WORTH = {piece: _by_square(half, _VALUES[piece]) for piece, half in _HALVES.items()}
_KING_AT_THE_END = _by_square(_ENDGAME_KING, 0)


def play(
    observation: NDArray[Any], action_mask: Any, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0
) -> int:
    """Return the action of the best move for an observation of classic/chess_v6, bool (8, 8, 111)."""
    board = read_board(observation)
    moves = [move for move in board.legal_moves if action_mask[action_of(move, black=not board.turn)]]
    level = level_now(level, mistakes, rng)
    move = hasty_move(board, moves, rng) if level == BEGINNER else best_move(board, moves, POSITIONS[level], rng)
    return action_of(move, black=not board.turn)


def hasty_move(board: chess.Board, moves: list[chess.Move], rng: np.random.Generator) -> chess.Move:
    """Return a move as a beginner does, who takes what there is to take and doesn't look at the answer."""
    liking = dict[chess.Move, float]()
    for move in moves:
        board.push(move)
        liking[move] = float(rng.normal(-worth(board), _FANCY))
        board.pop()
    return max(liking, key=liking.__getitem__)


def best_move(board: chess.Board, moves: list[chess.Move], positions: int, rng: np.random.Generator) -> chess.Move:
    """Return the best of `moves` by the deepest search that `positions` allow; a little noise varies openings."""
    search = _Search(board, positions)
    noise = {move: int(rng.integers(0, 12)) for move in moves}
    order = sorted(moves, key=lambda move: -search.promise(move))
    best = order[0]
    try:
        for depth in range(1, 30):
            best = search.root(order, depth, noise)
            order.remove(best)
            order.insert(0, best)
    except OutOfBudgetError:
        pass
    return search.found or best


class _Search:
    """Negamax with alpha-beta cuts from one position."""

    def __init__(self, board: chess.Board, positions: int) -> None:
        self._board, self._budget = board, Budget(positions)
        self._best: dict[Any, chess.Move] = {}  # position to the move that was best there
        self.found: chess.Move | None = None  # the best move of an unfinished depth

    def root(self, moves: list[chess.Move], depth: int, noise: dict[chess.Move, int]) -> chess.Move:
        """The best move at a depth."""
        best, score, self.found = moves[0], -2 * _MATE, None
        for move in moves:
            value = self._after(move, depth - 1, score - noise[move], 2 * _MATE) + noise[move]
            if value > score:
                best, score = move, value
                self.found = best
        return best

    def promise(self, move: chess.Move) -> int:
        """How early to try a move: captures of much by little first, then promotions."""
        board = self._board
        if not board.is_capture(move):
            return _VALUES[move.promotion] if move.promotion else 0
        taken = board.piece_type_at(move.to_square) or chess.PAWN
        return 10 * _VALUES[taken] - _VALUES[board.piece_type_at(move.from_square) or chess.PAWN] // 10 + 100

    def _after(self, move: chess.Move, depth: int, alpha: int, beta: int) -> int:
        """The value of a move for the side that makes it."""
        board = self._board
        board.push(move)
        try:
            if board.is_repetition(2) or board.halfmove_clock >= 100 or board.is_insufficient_material():
                return 0
            return -self._value(depth, -beta, -alpha)
        finally:
            board.pop()

    def _value(self, depth: int, alpha: int, beta: int) -> int:
        """The value for the side to move, within alpha and beta."""
        self._budget.spend()
        board = self._board
        in_check = board.is_check()
        if depth <= 0 and not in_check:
            return self._quiet(alpha, beta)
        key = board._transposition_key()
        first = self._best.get(key)
        moves = sorted(board.legal_moves, key=lambda move: -_MATE if move == first else -self.promise(move))
        if not moves:
            return board.ply() - _MATE if in_check else 0
        score = -2 * _MATE
        for move in moves:
            value = self._after(move, depth - 1, alpha, beta)
            if value > score:
                score, self._best[key] = value, move
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return score

    def _quiet(self, alpha: int, beta: int) -> int:
        """The value once all worthwhile captures are made."""
        board = self._board
        score = worth(board)
        if score >= beta:
            return score
        alpha = max(alpha, score)
        for move in sorted(board.generate_legal_captures(), key=self.promise, reverse=True):
            if score + _VALUES[board.piece_type_at(move.to_square) or chess.PAWN] + 200 < alpha:
                continue  # even a free capture is not enough
            self._budget.left -= 1
            board.push(move)
            value = -self._quiet(-beta, -alpha)
            board.pop()
            score, alpha = max(score, value), max(alpha, value)
            if alpha >= beta:
                break
        return score


def worth(board: chess.Board) -> int:
    """The value of a position for the side to move, in hundredths of a pawn."""
    total = 0
    pieces = board.queens.bit_count() * 900 + board.rooks.bit_count() * 500
    pieces += (board.knights | board.bishops).bit_count() * 325
    for piece, by_square in _WORTH.items():
        squares = _KING_AT_THE_END if piece == chess.KING and pieces < 2 * _ENDGAME else by_square
        mask = board.pieces_mask(piece, chess.WHITE)
        total += sum(squares[1][square] for square in chess.scan_forward(mask))
        mask = board.pieces_mask(piece, chess.BLACK)
        total -= sum(squares[0][square] for square in chess.scan_forward(mask))
    return total if board.turn else -total
