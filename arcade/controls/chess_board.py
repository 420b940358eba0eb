"""ChessBoard: press a piece, then its target, then the piece of a promotion.

PettingZoo's action is (column * 8 + row) * 73 + plane of the start, from the mover's side; planes 0 to 55 are queen
moves, 56 to 63 knight moves, 64 to 72 underpromotions, numbered as in ``pettingzoo.classic.chess.chess_utils`` (after
AlphaZero, Silver et al. 2018, table S2).
"""

from __future__ import annotations

from collections.abc import Sequence

from arcade.controls.boards import Board, Path, Place

_PLANES = 73
_QUEEN = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
_KNIGHT = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 3)
_LESSER = ("knight", "bishop", "rook")

PROMOTIONS = ("queen", "rook", "bishop", "knight")  # their places: columns of the row below the board


class ChessBoard(Board):
    """The 64 squares from White's side; actions from the mover's."""

    presses = 2

    def __init__(self, *, black: bool) -> None:
        super().__init__(8, 8)
        self._black = black
        self.start = (4, 1) if black else (4, 6)

    def paths(self, legal: Sequence[int]) -> list[Path]:
        moves = [chess_move(index, black=self._black) for index in legal]
        promoting = {(start, end) for start, end, lesser in moves if lesser}
        return [self._path(start, end, lesser, (start, end) in promoting) for start, end, lesser in moves]

    def label(self, path: Path) -> str:
        if not all(0 <= place[0] < 8 and 0 <= place[1] < 8 for place in path[:2]):
            return ""  # the action space has moves off the board, which no mask allows
        squares = f"{square_name(path[0])} {square_name(path[1])}"
        return squares if len(path) == 2 else f"{squares} {PROMOTIONS[path[2][0]]}"

    def _path(self, start: Place, end: Place, lesser: str, promoting: bool) -> Path:
        if not promoting:
            return start, end
        return start, end, (PROMOTIONS.index(lesser or "queen"), self.rows)


def chess_move(action: int, *, black: bool) -> tuple[Place, Place, str]:
    """Return start and target from White's side, and the piece of an underpromotion, "" for none."""
    square, plane = divmod(action, _PLANES)
    column, row = divmod(square, 8)
    x, y, promotion = _step(plane)
    start, end = (row, row + y) if black else (7 - row, 7 - row - y)
    return (column, start), (column + x, end), promotion


def square_name(place: Place) -> str:
    """Return the name of a square: "e4"."""
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
