"""Go, in which every seat knows everything."""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID

_STONES = {-1: "w", 0: ".", 1: "b"}


def view(env: Any, agent: AgentID | None) -> dict[str, Any]:
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
