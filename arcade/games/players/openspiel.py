"""Monte Carlo tree search for games of OpenSpiel, by OpenSpiel's own MCTS bot (Kocsis and Szepesvári 2006)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from agents.seats.controller import ActionMask, SeatSpec

SIMULATIONS = {"easy": 8, "normal": 64, "hard": 512, "expert": 4096}
"""For each move, by difficulty level; each ends with one game at random."""

EXPLORATION = 2.0
MEMORY_MB = 200


class Player:
    """Searches from the whole state, which games without hidden information show all players."""

    obs_type = "state"

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "normal") -> None:
        self._simulations, self._rng = SIMULATIONS[level], rng
        self._seat = seat

    def __call__(self, observation: Any, mask: ActionMask) -> int:
        game, state = pyspiel.deserialize_game_and_state(bytes(observation).decode())
        seed = int(self._rng.integers(2**31))
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, self._simulations, MEMORY_MB, True, seed, False)
        return int(bot.step(state))
