"""What games of so-and-so-many in a row have in common."""

from __future__ import annotations

from typing import Any


def complete_line(cells: str, *, columns: int, length: int) -> list[int]:
    """The indices of `length` equal letters in a row, upright or slanting; [] where there are none ("." is empty)."""
    rows = len(cells) // columns
    for start, letter in enumerate(cells):
        row, column = divmod(start, columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            last_row, last_column = row + down * (length - 1), column + right * (length - 1)
            if letter == "." or not (0 <= last_row < rows and 0 <= last_column < columns):
                continue
            line = [start + step * (down * columns + right) for step in range(length)]
            if all(cells[index] == letter for index in line):
                return line
    return []


def side_to_move(game: Any) -> str:
    """Whose move it is in an AECEnv, "" when the game is over."""
    agent = str(game.agent_selection)
    return "" if game.terminations.get(agent, True) or game.truncations.get(agent, True) else agent
