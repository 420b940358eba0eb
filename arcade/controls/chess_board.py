"""ChessBoard: a piece is pressed, then its square, then what a pawn becomes.

PettingZoo's action is (column * 8 + row) * 73 + plane of the square left, seen from the mover's side; planes 0 to 55
are a queen's moves, 56 to 63 a knight's, 64 to 72 promotions to less than a queen, numbered as in
``pettingzoo.classic.chess.chess_utils`` (after AlphaZero, Silver et al. 2018, table S2).
"""

from __future__ import annotations

from collections.abc import Sequence

from arcade.controls.boards import Board, Path, Place

_PLANES = 73
_QUEEN = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
_KNIGHT = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 3)
_LESSER = ("knight", "bishop", "rook")

PROMOTIONS = ("queen", "rook", "bishop", "knight")
"""The answers to what a pawn becomes; the place of each is its number, in the row behind the board's last."""


class ChessBoard(Board):
    """The 64 squares as White sees them; actions as PettingZoo counts them for the mover."""

    presses = 2

    def __init__(self, *, black: bool) -> None:
        super().__init__(8, 8)
        self._black = black
        self.start = (4, 1) if black else (4, 6)

    def paths(self, legal: Sequence[int]) -> list[Path]:
        moves = [chess_move(index, black=self._black) for index in legal]
        promoting = {(start, end) for start, end, lesser in moves if lesser}
        return [self._path(start, end, lesser, (start, end) in promoting) for start, end, lesser in moves]

    def words(self, path: Path) -> str:
        if not all(0 <= place[0] < 8 and 0 <= place[1] < 8 for place in path[:2]):
            return ""  # the space counts moves off the board too, which no mask allows
        squares = f"{square_name(path[0])} {square_name(path[1])}"
        return squares if len(path) == 2 else f"{squares} {PROMOTIONS[path[2][0]]}"

    def _path(self, start: Place, end: Place, lesser: str, promoting: bool) -> Path:
        if not promoting:
            return start, end
        return start, end, (PROMOTIONS.index(lesser or "queen"), self.rows)


def chess_move(action: int, *, black: bool) -> tuple[Place, Place, str]:
    """The squares left and reached, as White sees the board, and the lesser piece a pawn becomes, "" for none."""
    square, plane = divmod(action, _PLANES)
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
