"""Boards: the places of a game's actions, for direction keys and the mouse; ChessBoard: squares and promotions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Place = tuple[int, int]  # column and row from 0, row 0 on top, from the first player's side
Path = tuple[Place, ...]  # the places to press for an action, in order


class Board:
    """A grid with an action a place, counted row by row or column by column."""

    presses = 1  # on the board for an action; further ones answer a question

    def __init__(self, columns: int, rows: int, *, by_column: bool = False) -> None:
        self.columns, self.rows, self._by_column = columns, rows, by_column
        self.start: Place = (columns // 2, rows // 2)
        self._bottom = rows - 1  # the lowest row of the cursor

    def paths(self, legal: Sequence[int]) -> list[Path]:
        """Return the path of each legal action index."""
        return [(self.place(index),) for index in legal]

    def place(self, index: int) -> Place:
        """Return the place of an action index."""
        return divmod(index, self.rows) if self._by_column else (index % self.columns, index // self.columns)

    def label(self, path: Path) -> str:
        """Name a path for games without action names; "" without a name."""
        return ""

    def spot(self, place: Place) -> Place:
        """Return the place that represents `place` in paths: a whole column may count as one."""
        return place

    def settle(self, at: Place, lit: Collection[Place]) -> Place:
        """Return the cursor's place at the start of a turn, from `at`, with the places `lit` legal."""
        return at

    def aside(self, at: Place) -> Place:
        """Return the cursor's place after a press of b with nothing to take back."""
        return at

    def step(self, at: Place, step: Place, lit: Collection[Place]) -> Place:
        """Return the place one step from `at`."""
        column, row = at[0] + step[0], at[1] + step[1]
        return min(max(column, 0), self.columns - 1), min(max(row, 0), self._bottom)


class ColumnsBoard(Board):
    """A board with an action a column."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.start = (columns // 2, 0)

    def spot(self, place: Place) -> Place:
        return place[0], 0

    def step(self, at: Place, step: Place, lit: Collection[Place]) -> Place:
        return super().step((at[0], 0), (step[0], 0), lit)


class PassBoard(Board):
    """A square board with one more place below it: to pass."""

    def __init__(self, size: int) -> None:
        super().__init__(size, size)
        self.pass_place: Place = (0, size)
        self._bottom = size

    def place(self, index: int) -> Place:
        return super().place(index) if index < self.columns * self.rows else self.pass_place

    def spot(self, place: Place) -> Place:
        return self.pass_place if place[1] >= self.rows else place

    def settle(self, at: Place, lit: Collection[Place]) -> Place:
        """Move away from the pass: two in a row end the game."""
        return self.aside(at) if at[1] >= self.rows else at

    def aside(self, at: Place) -> Place:
        """Move to the pass, and from there to the middle of the board."""
        return self.start if at[1] >= self.rows else (at[0], self.rows)


class RowBoard(Board):
    """The legal actions side by side; right and down step forward, left and up back, round the end."""

    def __init__(self, count: int, *, start: int = 0) -> None:
        super().__init__(count, 1)
        self.start = (start, 0)

    def settle(self, at: Place, lit: Collection[Place]) -> Place:
        return min(lit, key=lambda place: (abs(place[0] - at[0]), place), default=at)

    def step(self, at: Place, step: Place, lit: Collection[Place]) -> Place:
        row = sorted(lit)
        return row[(row.index(at) + step[0] + step[1]) % len(row)] if at in row else self.settle(at, lit)


class SlotsBoard(RowBoard):
    """A row of buttons in a fixed order, each for the actions of which one at most is legal: check or call.

    Every turn begins at `start`.
    """

    def __init__(self, *slots: tuple[int, ...], start: int) -> None:
        super().__init__(len(slots), start=start)
        self.slots = slots

    def place(self, index: int) -> Place:
        return next((place for place, slot in enumerate(self.slots) if index in slot), index), 0

    def settle(self, at: Place, lit: Collection[Place]) -> Place:
        return super().settle(self.start, lit)


_PLANES = 73
_QUEEN = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
_KNIGHT = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 3)
_LESSER = ("knight", "bishop", "rook")

PROMOTIONS = ("queen", "rook", "bishop", "knight")  # their places: columns of the row below the board


class ChessBoard(Board):
    """The 64 squares from White's side: press a piece, then its target, then the piece of a promotion.

    PettingZoo's action is (column * 8 + row) * 73 + plane of the start, from the mover's side; planes 0 to 55 are queen
    moves, 56 to 63 knight moves, 64 to 72 underpromotions, numbered as in ``pettingzoo.classic.chess.chess_utils``
    (after AlphaZero, Silver et al. 2018, table S2).
    """

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
