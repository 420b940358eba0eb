"""Rock paper scissors: the finished rounds, never a choice before both have chosen.

https://pettingzoo.farama.org/environments/classic/rps/
"""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID

ROUNDS = 5
"""Rounds that the env remembers."""


def view(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The rounds so far, the same for both seats."""
    table = env.unwrapped
    names = [str(move).lower() for move in table._moves[: table._none]]
    history = table.history[: 2 * ROUNDS]  # newest first, two entries a round, -1 where none was played
    rounds = [[names[history[at]], names[history[at + 1]]] for at in range(0, len(history), 2) if history[at] >= 0]
    over = not table.agents or any(table.truncations.values())
    return {
        "agents": list(table.possible_agents),
        "moves": names,
        "rounds": rounds,
        "winners": [_winner(*(names.index(move) for move in played)) for played in rounds],
        "played": int(table.num_moves),
        "length": int(table.max_cycles),
        "over": over,
    }


def _winner(first: int, second: int) -> int | None:
    """Return 0 or 1, None for a draw: with equal parity the lower number wins, else the higher, as in the env."""
    if first == second:
        return None
    lower_wins = (first + second) % 2 == 0
    return 0 if (first < second) == lower_wins else 1
