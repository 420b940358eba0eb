"""Tic-tac-toe and Connect Four, in which every seat knows everything."""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID


def view_tictactoe(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position; a cell is its index in `marks`, row by row from the upper left.

    - `marks`: a letter a cell: "x" for player_1, "o" for player_2, "." if empty
    - `turn`: the agent to move, "" when the game is over; `line`: the cells of three in a row, [] without one
    """
    game = env.unwrapped
    cells = "".join(".xo"[mark] for mark in game.board.squares)  # the env counts column by column
    marks = "".join(cells[column * 3 + row] for row in range(3) for column in range(3))
    return {"marks": marks, "turn": _turn(game), "line": _complete_line(marks, columns=3, length=3)}


def view_connect_four(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position; a hole is its index in `discs`, row by row from the upper left.

    - `discs`: a letter a hole: "0" and "1" for the players' discs, "." if empty
    - `turn`: the agent to move, "" when the game is over; `line`: the holes of four in a row, [] without one
    """
    game = env.unwrapped
    discs = "".join(".01"[disc] for disc in game.board)
    return {"discs": discs, "turn": _turn(game), "line": _complete_line(discs, columns=7, length=4)}


def _complete_line(cells: str, *, columns: int, length: int) -> list[int]:
    """Return the indices of `length` equal letters in a row, in any direction; [] without one."""
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


def _turn(game: Any) -> str:
    agent = str(game.agent_selection)
    return "" if game.terminations.get(agent, True) or game.truncations.get(agent, True) else agent
