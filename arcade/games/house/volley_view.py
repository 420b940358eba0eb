"""What volley's players see: the state as each seat's own observation, mirrored for the right team."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcade.games.house import volley_rules as rules


def observe_matrix(team_size: int) -> NDArray[np.float32]:
    """float32, (rows of the state, agents * observation size): one signed scale a column."""
    players, size = 2 * team_size, rules.observation_size(team_size)
    matrix = np.zeros((size, players, size), np.float32)
    scales = [rules.POSITION_SCALE, rules.POSITION_SCALE, rules.SPEED_SCALE, rules.SPEED_SCALE]
    for agent in range(players):
        team, place = divmod(agent, team_size)
        mates = [team * team_size + (place + 1) % team_size] if team_size > 1 else []
        foes = [(1 - team) * team_size + i for i in range(team_size)]
        mirror = [1.0, 1.0, 1.0, 1.0] if team == 0 else [-1.0, 1.0, -1.0, 1.0]
        for seen, body in enumerate([agent, players, *mates, *foes]):
            for part in range(4):
                matrix[part * (players + 1) + body, agent, 4 * seen + part] = scales[part] * mirror[part]
        matrix[-1, agent, -1] = 1.0 / rules.HOLD_TICKS
    return matrix.reshape(size, -1)
