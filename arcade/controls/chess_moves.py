"""PettingZoo's chess actions as squares and in words: "e2 e4".

An action is (column * 8 + row) * 73 + plane of the square left, seen from the mover's side; planes 0 to 55 are a
queen's moves, 56 to 63 a knight's, 64 to 72 promotions to less than a queen, numbered as in
``pettingzoo.classic.chess.chess_utils`` (after AlphaZero, Silver et al. 2018, table S2).
"""

from __future__ import annotations

from arcade.controls.boards import Place

PLANES = 73
_QUEEN = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
_KNIGHT = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 3)
_LESSER = ("knight", "bishop", "rook")


def chess_move(action: int, *, black: bool) -> tuple[Place, Place, str]:
    """The squares left and reached, as White sees the board, and the lesser piece a pawn becomes, "" for none."""
    square, plane = divmod(action, PLANES)
    column, row = divmod(square, 8)
    x, y, promotion = _step(plane)
    start, end = (column, row), (column + x, row + y)
    return _place(start, black), _place(end, black), promotion


def square_name(place: Place) -> str:
    """As players call it: "e4"."""
    return f"{'abcdefgh'[place[0]]}{8 - place[1]}"


def _step(plane: int) -> tuple[int, int, str]:
    if plane < 56:
        steps, direction = divmod(plane, 8)
        x, y = _QUEEN[direction]
        return x * (steps + 1), y * (steps + 1), ""
    if plane < 64:
        return (*_KNIGHT[plane - 56], "")
    side, piece = divmod(plane - 64, 3)
    return side - 1, 1, _LESSER[piece]


def _place(square: tuple[int, int], black: bool) -> Place:
    column, row = square
    return column, row if black else 7 - row
