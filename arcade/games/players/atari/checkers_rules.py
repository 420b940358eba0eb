"""English draughts on the console's board of 35 squares, and a search of it.

A dark square is an index; 8, 17 and 26 stand for no square, so that a step ahead is 4 or 5 in every row (Samuel 1959,
Some Studies in Machine Learning Using the Game of Checkers).  Orange plays upwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

ORANGE, WHITE = 0x10, 0x90
KINGS = 0x10
"""What a king's byte has more than a man's."""

SQUARES = 35
GAPS = (8, 17, 26)
_LOST = 10_000
_MAN, _KING = 100, 150

Board = tuple[int, ...]
"""A byte a square: 0, or a piece."""

Move = tuple[int, ...]
"""The squares that a piece touches, its own first."""


def is_square(index: int) -> bool:
    """Whether there is such a square."""
    return 0 <= index < SQUARES and index not in GAPS


def _ways(piece: int) -> tuple[int, ...]:
    if piece & 0x7F != ORANGE:
        return 4, 5, -4, -5
    return (4, 5) if piece < WHITE else (-4, -5)


def _is_of(piece: int, side: int) -> bool:
    return bool(piece) and (piece >= WHITE) == (side == WHITE)


def legal_moves(board: Board, side: int) -> list[Move]:
    """The moves of a side; only jumps where there is one."""
    own = [index for index in range(SQUARES) if is_square(index) and _is_of(board[index], side)]
    jumps = [move for index in own for move in _jumps(board, (index,), board[index])]
    return jumps or [
        (index, index + way)
        for index in own
        for way in _ways(board[index])
        if is_square(index + way) and not board[index + way]
    ]


def _jumps(board: Board, path: Move, piece: int) -> Iterator[Move]:
    """All jumps of a piece that has come along `path`, as far as they lead."""
    at, other = path[-1], ORANGE if piece >= WHITE else WHITE
    for way in _ways(piece):
        over, to = at + way, at + 2 * way
        if not (is_square(over) and is_square(to)) or not _is_of(board[over], other):
            continue
        if board[to] and to != path[0]:
            continue
        left = list(board)
        left[at], left[over] = 0, 0
        further = list(_jumps(tuple(left), (*path, to), piece))
        yield from further or [(*path, to)]


def after(board: Board, move: Move) -> Board:
    """The board after a move."""
    left, piece = list(board), board[move[0]]
    for start, end in pairwise(move):
        left[start] = 0
        if abs(end - start) > 5:
            left[(start + end) // 2] = 0
    last = move[-1]
    crowned = last >= 31 if piece < WHITE else last <= 3
    left[last] = (piece & 0x80) | 0x20 if crowned else piece
    return tuple(left)


def value(board: Board, side: int, depth: int, low: float = -2 * _LOST, high: float = 2 * _LOST) -> float:
    """The value for the side to move, by alpha-beta search; jumps are followed to their end."""
    moves = legal_moves(board, side)
    if not moves:
        return -_LOST - depth
    is_quiet = abs(moves[0][1] - moves[0][0]) <= 5
    if (depth <= 0 and is_quiet) or depth < -4:
        return _material(board, side)
    other = WHITE if side == ORANGE else ORANGE
    for move in moves:
        low = max(low, -value(after(board, move), other, depth - 1, -high, -low))
        if low >= high:
            break
    return low


def _material(board: Board, side: int) -> float:
    """Men and kings, and a little for men that have come far and for the back row."""
    total = 0.0
    for index, piece in enumerate(board):
        if not piece or index in GAPS:
            continue
        row = index / 4.4
        is_white = piece >= WHITE
        worth = _MAN + 2 * (7 - row if is_white else row) if piece & 0x7F == ORANGE else _KING
        worth += 6 if index in ((31, 33) if is_white else (1, 3)) else 0
        total += worth if is_white == (side == WHITE) else -worth
    return total
