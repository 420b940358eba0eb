"""A player of Warlords: brings the shield to where the ball will reach the castle.

A shield runs along two sides of its castle, round the corner; `right` moves it one way on all four.  Lines count from
the bottom, half as many as columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_BALL_X, _BALL_Y = 0x04, 0x0E
_AHEAD = 90  # ticks that a flight is followed
_PAD = 4  # columns between the ball's address and a shield's middle
_SLACK = 3
_HOLD = 24  # ticks from throw to throw
_GLIDE = 2.0  # ticks of its speed that a shield moves on


@dataclass(frozen=True, slots=True)
class Castle:
    """One corner: the addresses of its shield, its inner corner, and the outer end of each side."""

    x: int
    y: int
    corner: tuple[int, int]
    end: tuple[int, int]

    def way(self, x: float, y: float) -> float:
        """How far along its way, counted as `right` moves it, the shield is nearest to a place."""
        sign, up = self._signs
        across = sign * (x - self.corner[0])
        height = min(max(up * (y - self.corner[1]), 0.0), abs(self.end[1] - self.corner[1]))
        if height > 0 and across >= -2:
            return sign * 2 * height
        return sign * min(max(across, -abs(self.end[0] - self.corner[0])), 0.0)

    def holds(self, x: float, y: float) -> bool:
        """Whether a place is in the castle, as far as a shield in front of it."""
        sign, up = self._signs
        return sign * (x - self.corner[0]) <= 0 and up * (y - self.corner[1]) >= 0

    @property
    def _signs(self) -> tuple[int, int]:
        """The ways out of the castle, across and up."""
        return (1 if self.corner[0] > self.end[0] else -1), (1 if self.end[1] > self.corner[1] else -1)


CASTLES = (
    Castle(0x02, 0x09, (54, 60), (0, 84)), Castle(0x03, 0x0A, (96, 60), (149, 84)),
    Castle(0x05, 0x0C, (55, 31), (0, 7)), Castle(0x06, 0x0D, (94, 31), (146, 7)),
)  # fmt: skip
"""By seat."""


class WarlordsPlay(Play):
    """Guards one castle."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._castle = CASTLES[place]
        self._ball: tuple[int, int] | None = None
        self._speed = (0.0, 0.0)
        self._way = self._error = 0.0
        self._tick = 0

    def decide(self, now: Memory, seen: Memory) -> str:
        castle = self._castle
        way = castle.way(now[castle.x], now[castle.y])
        rest = way + _GLIDE * (way - self._way)
        self._way = way
        ball = seen[_BALL_X], seen[_BALL_Y]
        self._watch(ball)
        goal = castle.way(*self._meeting(ball)) + self._error
        off = goal - rest
        key = "" if abs(off) < _SLACK else "right" if off > 0 else "left"
        self._tick += 1
        throws = self._tick % _HOLD < 2
        return " ".join(filter(None, (key, "" if throws else "fire"))) or "nothing"

    def _watch(self, ball: tuple[int, int]) -> None:
        if self._ball is not None:
            moved = ball[0] - self._ball[0], ball[1] - self._ball[1]
            if max(map(abs, moved)) > 12:
                moved = (0, 0)
            turned = any(np.sign(new) * np.sign(old) < 0 for new, old in zip(moved, self._speed, strict=True))
            if turned:
                self._speed = float(moved[0]), float(moved[1])
                self._error = self.misjudged(14)
            self._speed = 0.6 * self._speed[0] + 0.4 * moved[0], 0.6 * self._speed[1] + 0.4 * moved[1]
        self._ball = ball

    def _meeting(self, ball: tuple[int, int]) -> tuple[float, float]:
        """Where the ball reaches the castle on its way, or the ball itself."""
        x, y = float(ball[0]), float(ball[1])
        vx, vy = self._speed
        for _ in range(_AHEAD):
            x, y = x + vx, y + vy
            if not 2 <= x <= 154:
                vx = -vx
            if not 4 <= y <= 86:
                vy = -vy
            if self._castle.holds(x - _PAD, y):
                return x - _PAD, y
        return float(ball[0] - _PAD), float(ball[1])
