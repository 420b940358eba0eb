"""PettingZoo's chess actions in words: "e2 e4".

An action is (column * 8 + row) * 73 + plane of the square left, seen from the mover's side; planes 0 to 55 are a
queen's moves, 56 to 63 a knight's, 64 to 72 promotions to less than a queen, numbered as in
``pettingzoo.classic.chess.chess_utils`` (after AlphaZero, Silver et al. 2018, table S2).
"""

from __future__ import annotations

PLANES = 73
_QUEEN = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
_KNIGHT = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 3)
_LESSER = ("knight", "bishop", "rook")


def chess_words(action: int, *, black: bool) -> str:
    """The squares of a move, and what a pawn becomes where that is less than a queen."""
    square, plane = divmod(action, PLANES)
    column, row = divmod(square, 8)
    x, y, promotion = _step(plane)
    words = f"{_name(column, row, black)} {_name(column + x, row + y, black)}"
    return f"{words} {promotion}" if promotion else words


def chess_square(action: int) -> int:
    """The square left, 0 … 63; what all moves of one piece have in common."""
    return action // PLANES


def _step(plane: int) -> tuple[int, int, str]:
    if plane < 56:
        steps, direction = divmod(plane, 8)
        x, y = _QUEEN[direction]
        return x * (steps + 1), y * (steps + 1), ""
    if plane < 64:
        return (*_KNIGHT[plane - 56], "")
    side, piece = divmod(plane - 64, 3)
    return side - 1, 1, _LESSER[piece]


def _name(column: int, row: int, black: bool) -> str:
    return f"{'abcdefgh'[column]}{8 - row if black else row + 1}"
