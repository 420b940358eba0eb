"""A player of Double Dunk: runs at the basket, jumps and shoots, and gets up again.

The button means what the moment needs: it picks a play, passes, jumps, shoots, and steals.
"""

from __future__ import annotations

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_BALL_X, _MIDDLE, _BESIDE = 0x2F, 70, 6  # column of the ball, the basket's, and how far from it is near
_PRESS, _REST = 8, 8  # ticks of a run and jump, and of standing
_TIRED = 40  # how many more a beginner stands


class DoubleDunkPlay(Play):
    """Presses the stick towards the basket and the button together, then lets go."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._left, self._presses = 0, False

    def decide(self, now: Memory, seen: Memory) -> str:
        if not self._left:
            self._presses = not self._presses
            self._left = _PRESS if self._presses else _REST + round(abs(self.misjudged(_TIRED)))
        self._left -= 1
        if not self._presses:
            return "nothing"
        column = seen[_BALL_X]
        side = " right" if column < _MIDDLE - _BESIDE else " left" if column > _MIDDLE + _BESIDE else ""
        return f"up{side} fire"
