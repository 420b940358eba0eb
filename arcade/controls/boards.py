"""Board: where a game's actions lie, for directions and for the mouse."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Place = tuple[int, int]  # column and row, both from 0, row 0 on top, as the first player sees the board
Path = tuple[Place, ...]  # the places that are pressed one after another to play one action


class Board:
    """A grid of places, one of them pressed for an action, counted row by row; free to walk, its edges hold."""

    presses = 1
    """How many presses on the board an action takes; what is left to choose after them is a question."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.start: Place = (columns // 2, rows // 2)

    def paths(self, legal: Sequence[int]) -> list[Path]:
        """The path of each of the legal action indices."""
        return [(self.place(index),) for index in legal]

    def place(self, index: int) -> Place:
        """Where the action with that index lies."""
        return index % self.columns, index // self.columns

    def words(self, path: Path) -> str:
        """What a path is called where the game has no words for its actions; "" where unknown."""
        return ""

    def spot(self, place: Place) -> Place:
        """The place of `place` in paths: a whole column may count as one."""
        return place

    def settle(self, at: Place, lit: Collection[Place]) -> Place:
        """Where the cursor moves from `at` when a turn begins with the places `lit` legal."""
        return at

    def aside(self, at: Place) -> Place:
        """Where the cursor goes at a press of b when there is nothing to take back."""
        return at

    def step(self, at: Place, step: Place, lit: Collection[Place]) -> Place:
        """One step from `at`."""
        column, row = at[0] + step[0], at[1] + step[1]
        return min(max(column, 0), self.columns - 1), min(max(row, 0), self.rows - 1)


class ColumnwiseBoard(Board):
    """A grid whose actions are counted column by column."""

    def place(self, index: int) -> Place:
        return index // self.rows, index % self.rows


class ColumnsBoard(Board):
    """A board where a whole column is chosen."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.start = (columns // 2, 0)

    def spot(self, place: Place) -> Place:
        return place[0], 0

    def step(self, at: Place, step: Place, lit: Collection[Place]) -> Place:
        return super().step((at[0], 0), (step[0], 0), lit)


class PassBoard(Board):
    """A square board with one action more, which lies below it: to pass."""

    def __init__(self, size: int) -> None:
        super().__init__(size, size)
        self.pass_place: Place = (0, size)

    def place(self, index: int) -> Place:
        return super().place(index) if index < self.columns * self.rows else self.pass_place

    def spot(self, place: Place) -> Place:
        return self.pass_place if place[1] >= self.rows else place

    def settle(self, at: Place, lit: Collection[Place]) -> Place:
        """Away from the pass: two presses in a row would end the game."""
        return self.aside(at) if at[1] >= self.rows else at

    def aside(self, at: Place) -> Place:
        """To the pass, and from there to the middle of the board."""
        return self.start if at[1] >= self.rows else (at[0], self.rows)

    def step(self, at: Place, step: Place, lit: Collection[Place]) -> Place:
        column, row = at[0] + step[0], at[1] + step[1]
        return min(max(column, 0), self.columns - 1), min(max(row, 0), self.rows)


class RowBoard(Board):
    """No board at all: the legal actions side by side; right and down step forward, left and up back, round the end."""

    def __init__(self, count: int, *, start: int = 0) -> None:
        super().__init__(count, 1)
        self.start = (start, 0)

    def settle(self, at: Place, lit: Collection[Place]) -> Place:
        return min(lit, key=lambda place: (abs(place[0] - at[0]), place), default=at)

    def step(self, at: Place, step: Place, lit: Collection[Place]) -> Place:
        row = sorted(lit)
        return row[(row.index(at) + step[0] + step[1]) % len(row)] if at in row else self.settle(at, lit)
