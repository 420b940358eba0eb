"""A player of Simple Reference: says the other's landmark, A for the first, and heads for the one that it hears of.

The words are counted as people would: A, B and C for the red, green and blue landmark.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec
from arcade.games.players.mpe.motion import FORESIGHT, NOTHING, Body, best_action, distances
from arcade.games.players.reactions import Reactions

SLIPS = {"easy": 0.45, "normal": 0.25, "hard": 0.08, "expert": 0.0}
"""The share of sentences in which a level confuses two landmarks, as a speaker and as a listener."""

_BODY = Body(push=0.5, speed=1e9)
_LANDMARKS, _MOVES = 3, 5
_PLACES, _COLOUR, _WORD = slice(2, 8), slice(8, 11), slice(11, 21)
_SENTENCE = 10  # ticks that a confusion lasts


class Player:
    """Plays one of both; called with its speed, the landmarks from here, the other's colour and word, (21,)."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        self._rng, self._slips, self._foresight = rng, SLIPS[level], FORESIGHT[level]
        self._tick, self._said, self._heard = 0, 0, 0  # landmarks off the right one

        def slip() -> int:
            return int(rng.integers(_MOVES))

        self._react = Reactions(seat, rng, level, idle=NOTHING, slip=slip)

    def __call__(self, observation: Any, action_mask: Any) -> int:
        seen = np.asarray(observation, float)
        if self._tick % _SENTENCE == 0:
            self._said, self._heard = self._confusion(), self._confusion()
        self._tick += 1
        word = (int(seen[_COLOUR].argmax()) + self._said) % _LANDMARKS
        move = self._move(seen) if seen[_WORD].any() else NOTHING
        return word * _MOVES + self._react(move)

    def _confusion(self) -> int:
        return int(self._rng.integers(1, _LANDMARKS)) if self._rng.random() < self._slips else 0

    def _move(self, seen: NDArray[np.float64]) -> int:
        heard = int(seen[_WORD].argmax())
        if heard >= _LANDMARKS:
            return NOTHING  # no landmark that it knows
        goal = seen[_PLACES].reshape(_LANDMARKS, 2)[(heard + self._heard) % _LANDMARKS]

        def cost(ways: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.asarray(distances(ways, goal).sum(axis=1))

        return best_action(np.zeros(2), seen[:2], _BODY, self._foresight, cost)
