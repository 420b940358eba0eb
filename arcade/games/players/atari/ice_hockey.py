"""A player of Ice Hockey: the figure nearest to the puck gets it, carries it to the other goal and shoots.

The console lets a seat move whichever of its two figures is nearer to the puck.  Lines count from the bottom.
"""

from __future__ import annotations

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_PUCK_X, _PUCK_Y = 0x34, 0x33
_X, _Y = ((0x39, 0x3B), (0x3A, 0x3C)), ((0x35, 0x37), (0x36, 0x38))  # of both figures of Blue and of Yellow
_GOAL_X = 86
_GOAL_Y = (14, 134)  # lines that Blue and Yellow shoot at
_STICK = 10  # columns from a figure to the puck on its stick, at most
_RANGE = 75  # lines from the goal at which a shot is worth it
_OPEN = 14  # columns off the goal's middle


class IceHockeyPlay(Play):
    """Chases the puck, and shoots."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._error = (0.0, 0.0)
        self._has = 0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 45 == 1:
            self._error = self.misjudged(8), self.misjudged(8)
        puck = seen[_PUCK_X], seen[_PUCK_Y]
        own = [(now[x], now[y]) for x, y in zip(_X[self.place], _Y[self.place], strict=True)]
        x, y = min(own, key=lambda at: abs(at[0] - puck[0]) + abs(at[1] - puck[1]))
        goal = _GOAL_Y[self.place]
        has = abs(puck[0] - x) <= _STICK and abs(puck[1] - y) <= 6
        self._has = self._has + 1 if has else 0
        if self._has > 8:
            return self._attack(x, y, goal, puck)
        walk = _towards(puck[0] + self._error[0] - x, 2, "right", "left")
        step = _towards(puck[1] + self._error[1] - y, 2, "up", "down")
        trips = self._tick % 16 < 3 and abs(puck[0] - x) < 20 and abs(puck[1] - y) < 12
        return " ".join(filter(None, (step, walk, "fire" if trips else ""))) or "nothing"

    def _attack(self, x: int, y: int, goal: int, puck: tuple[int, int]) -> str:
        near = abs(goal - y) < _RANGE
        walk = _towards(_GOAL_X + self._error[0] - x, 3, "right", "left")
        step = "" if abs(goal - y) < 30 else "up" if goal > y else "down"
        shoots = near and abs(x - _GOAL_X) < _OPEN
        return " ".join(filter(None, (step, walk, "fire" if shoots and self._tick % 8 < 3 else ""))) or "nothing"


def _towards(off: float, slack: float, more: str, less: str) -> str:
    return "" if abs(off) < slack else more if off > 0 else less
