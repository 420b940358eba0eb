"""A player of Basketball Pong: gets under the ball, and jumps at it when it comes down."""

from __future__ import annotations

import numpy as np

from arcade.games.players.atari.paddles import BALL_X, BALL_Y
from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_X = (0x2E, 0x2D)  # Right and Left
_MIDDLE = 8  # columns from a player's place to its middle
_BEHIND = 4  # columns on the own side of the ball, from where it flies to the other side
_CLOSE = 2  # columns beside the best place that are as good
_WIDE = 12  # columns to the ball from which it is reached
_HIGH, _LOW = 60, 4  # lines above the floor between which a jump meets the ball
_FLOOR = 195
_SERVE = 40
_LEAD = 10  # ticks that it looks ahead


class BasketballPlay(Play):
    """Follows the ball."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._ball: tuple[int, int] | None = None
        self._speed = (0.0, 0.0)
        self._error = 0.0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 50 == 1:
            self._error = self.misjudged(12) + float(self.rng.uniform(-_CLOSE, _CLOSE))
        ball = seen[BALL_X], seen[BALL_Y]
        if not ball[1]:
            self._ball = None
            return "fire" if self._tick % _SERVE < 4 else "nothing"
        if self._ball is not None and max(abs(ball[0] - self._ball[0]), abs(ball[1] - self._ball[1])) < 12:
            moved = ball[0] - self._ball[0], ball[1] - self._ball[1]
            self._speed = 0.7 * self._speed[0] + 0.3 * moved[0], 0.7 * self._speed[1] + 0.3 * moved[1]
        self._ball = ball
        side = 1 if self.place == 0 else -1
        ahead = self.reaction + _LEAD
        off = ball[0] + self._speed[0] * ahead + side * _BEHIND + self._error - now[_X[self.place]] - _MIDDLE
        walk = "" if abs(off) < 3 else "right" if off > 0 else "left"
        above = _FLOOR - ball[1] - self._speed[1] * self.reaction
        jumps = abs(ball[0] - now[_X[self.place]] - _MIDDLE) < _WIDE and _LOW < above < _HIGH
        return " ".join(filter(None, (walk, "fire" if jumps else ""))) or "nothing"
