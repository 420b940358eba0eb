"""ChessBoard: a piece is pressed, then its square, then what a pawn becomes."""

from __future__ import annotations

from collections.abc import Sequence

from arcade.controls.boards import Board, Path, Place
from arcade.controls.chess_moves import chess_move, square_name

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
