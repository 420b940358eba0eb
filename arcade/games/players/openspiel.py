"""Monte Carlo tree search for games of OpenSpiel, by OpenSpiel's own bots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from agents.seats.controller import ActionMask, SeatSpec
from arcade.games.players.mistakes import BEGINNER, level_now
from arcade.games.spec import IMAGINED

SIMULATIONS = {BEGINNER: 2, "easy": 8, "normal": 64, "hard": 512, "expert": 4096}
"""For each move, by difficulty level; each ends with one game at random."""

GUESSES = {BEGINNER: 2, "easy": 4, "normal": 32, "hard": 256, "expert": 1024}
"""The same where cards are hidden; each begins with cards that the player takes for possible."""

EXPLORATION = 2.0
MEMORY_MB = 200


class Player:
    """Searches from the whole state, which games without hidden information show all players (Kocsis and Szepesvári
    2006)."""

    obs_type = "state"

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "normal", mistakes: float = 0) -> None:
        self._rng, self._level, self._mistakes = rng, level, mistakes

    def __call__(self, observation: Any, mask: ActionMask) -> int:
        game, state = read_state(observation)
        simulations = SIMULATIONS[level_now(self._level, self._mistakes, self._rng)]
        seed = int(self._rng.integers(2**31))
        return int(tree_search(game, simulations, seed).step(state))


class Guesser:
    """Searches information sets (ISMCTS: Cowling, Powley, Whitehouse 2012), from a state that it takes for possible."""

    obs_type = IMAGINED

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "normal", mistakes: float = 0) -> None:
        self._rng, self._level, self._mistakes = rng, level, mistakes

    def __call__(self, observation: Any, mask: ActionMask) -> int:
        _, state = read_state(observation)
        simulations = GUESSES[level_now(self._level, self._mistakes, self._rng)]
        return int(guessing_search(simulations, int(self._rng.integers(2**31))).step(state))


def read_state(observation: Any) -> tuple[Any, Any]:
    """OpenSpiel's game and state of an observation, its text as UTF-8, uint8 (length,)."""
    game, state = pyspiel.deserialize_game_and_state(bytes(observation).decode())
    return game, state


def tree_search(game: Any, simulations: int, seed: int) -> Any:
    """OpenSpiel's search of a game without hidden information, which stops where it has solved the position."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MEMORY_MB, True, seed, False)


def guessing_search(simulations: int, seed: int) -> Any:
    """OpenSpiel's search of information sets: each simulation draws the hidden cards from what the player knows."""
    most = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.ISMCTSBot(seed, evaluator, EXPLORATION, simulations, -1, most)
