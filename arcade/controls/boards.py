"""Boards: the places of a game's actions, for directions and the mouse."""

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
