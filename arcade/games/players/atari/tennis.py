"""A tennis player: runs to where the ball comes down, and swings by being there."""

from __future__ import annotations

import numpy as np

from arcade.games.players.atari.play import Memory, Play, towards
from arcade.games.players.atari.skill import Skill

_BALL_X, _BALL_Y, _BALL_Z = 0x10, 0x0F, 0x11
_X, _Y = (0x1A, 0x1B), (0x18, 0x19)  # of Pink and Blue
_AWAY = 200  # lines: the ball is out of play
_NET = 75  # its line
_CENTRE = 71  # column of a figure in the middle of the court
_MIDDLE, _HALF = 7, 6.5  # columns from a figure's address to the ball it hits straight on, and from there to a wide one
_AHEAD = 11  # lines before the figure, where it meets the ball


class TennisPlay(Play):
    """Follows the ball's flight to its own side."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._ball: tuple[int, int] | None = None
        self._speed = (0.0, 0.0)
        self._error = self._side = 0.0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        x, y = now[_X[self.place]], now[_Y[self.place]]
        is_below = y > _NET
        ball = seen[_BALL_X], seen[_BALL_Y]
        self._watch(ball)
        if ball[1] > _AWAY:
            return "nothing"
        comes = self._speed[1] > 0 if is_below else self._speed[1] < 0
        goal_x, goal_y = float(ball[0]), 135.0 if is_below else 15.0
        if comes and self._speed[1]:
            meets = y - _AHEAD if is_below else y + _AHEAD
            ticks = max(0.0, (meets - ball[1]) / self._speed[1])
            if ticks > 12:  # then the swing begins
                self._side = self._wide(seen[_X[1 - self.place]])
            goal_x = ball[0] + self._speed[0] * ticks
        elif self._speed != (0.0, 0.0):
            goal_x = _CENTRE + _MIDDLE
        walk = towards(goal_x - _MIDDLE - self._side + self._error - x, 1, "right", "left")
        step = towards(goal_y - y, 3, "down", "up")
        serves = self._speed == (0.0, 0.0) and abs(ball[0] - x) < 30
        return " ".join(filter(None, (step, walk, "fire" if serves and self._tick % 8 < 4 else ""))) or "nothing"

    def _wide(self, other: int) -> float:
        """Where on the racket to take the ball, so that it leaves for the side where the other is not."""
        width = _HALF * (1 - self.skill.error)
        return width if other < _CENTRE else -width

    def _watch(self, ball: tuple[int, int]) -> None:
        if self._ball is not None:
            moved = ball[0] - self._ball[0], ball[1] - self._ball[1]
            if max(map(abs, moved)) > 12:
                moved = (0, 0)
            if np.sign(moved[1]) and np.sign(moved[1]) != np.sign(self._speed[1]):
                self._error = self.misjudged(12)
                self._speed = float(moved[0]), float(moved[1])
            self._speed = 0.8 * self._speed[0] + 0.2 * moved[0], 0.8 * self._speed[1] + 0.2 * moved[1]
            if max(map(abs, self._speed)) < 0.05:
                self._speed = (0.0, 0.0)
        self._ball = ball
