"""What anybody may know of ``classic/connect_four_v3``: all of it."""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID
from arcade.games.tables.lines import complete_line, side_to_move

COLUMNS, ROWS = 7, 6


def view(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position.  A hole is its index in `discs`, row by row from the upper left.

    - `discs`: a letter a hole: "0" and "1" for the players' discs, "." where none is
    - `turn`: whose move it is, "" when the game is over; `line`: the holes of the four that won, [] while none did
    """
    game = env.unwrapped
    discs = "".join(".01"[disc] for disc in game.board)
    return {
        "discs": discs,
        "turn": side_to_move(game),
        "line": complete_line(discs, columns=COLUMNS, length=4),
    }
