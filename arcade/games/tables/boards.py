"""Tic-tac-toe, Connect Four and Go, in which every seat knows everything."""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID

_STONES = {-1: "w", 0: ".", 1: "b"}


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


def view_go(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position; a point is its index in `stones`, row by row from the upper left, as the actions count.

    - `size`: lines a side; `stones`: a letter a point, "b", "w" or "."
    - `turn`: the agent to move, "" when the game is over; `last`: the newest stone's point, -1 for none
    - `passed`: whether the newest move was a pass; `ko`: the point that may not be retaken at once, -1 for none
    - `captured`: by player, the stones it took; `komi`: points given to White
    - `score`: Black's area less White's and komi once the game is over, 0.0 before
    """
    game = env.unwrapped
    position, size = game._go, game._N
    newest = position.recent[-1].move if position.recent else None
    over = position.is_game_over()
    black, white = game.possible_agents
    return {
        "size": size,
        "stones": "".join(_STONES[int(stone)] for stone in position.board.flat),
        "turn": "" if over else game.agent_selection,
        "last": -1 if newest is None else newest[0] * size + newest[1],
        "passed": bool(position.recent) and newest is None,
        "ko": -1 if position.ko is None else position.ko[0] * size + position.ko[1],
        "captured": {black: int(position.caps[0]), white: int(position.caps[1])},
        "komi": float(position.komi),
        "score": float(position.score()) if over else 0.0,
    }


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
