"""What anybody may know of ``classic/tictactoe_v3``: all of it."""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID
from arcade.games.tables.lines import complete_line, side_to_move


def view(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position.  A cell is its index in `marks`, row by row from the upper left.

    - `marks`: a letter a cell: "x" for player_1, "o" for player_2, "." where none is
    - `turn`: whose move it is, "" when the game is over; `line`: the cells of the three that won, [] while none did
    """
    game = env.unwrapped
    cells = "".join(".xo"[mark] for mark in game.board.squares)  # the game counts column by column
    marks = "".join(cells[column * 3 + row] for row in range(3) for column in range(3))
    return {"marks": marks, "turn": side_to_move(game), "line": complete_line(marks, columns=3, length=3)}
