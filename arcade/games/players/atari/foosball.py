"""A player of Foozpong: brings a paddle before a ball that comes, and out of the way of one that leaves.

Each seat moves two columns of paddles, one every 64 lines, all together.
"""

from __future__ import annotations

import numpy as np

from arcade.games.players.atari.paddles import BALL_X, BALL_Y, reflected
from arcade.games.players.atari.play import Memory, Play, wrapped
from arcade.games.players.atari.skill import Skill

_OWN = (0x33, 0x32, 0x35, 0x34)
_COLUMNS = ((183, 151), (71, 103), (87, 119), (135, 167))  # where the ball meets the paddles of each seat
_GOAL = (1, -1, 1, -1)  # the ball's way towards the own goal: Purple's is on the right
_APART = 64
_MIDDLE = 6  # of the ball's line when it meets a paddle's middle, less the paddle's own
_LOW, _HIGH = 45, 206
_GAP = 20  # lines from a paddle's middle that let the ball pass
_GLIDE = 2.5  # ticks of its speed that a paddle moves on
_SERVE = 45


class FoosballPlay(Play):
    """Guards the column that the ball reaches next."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = self._position = 0
        self._ball: tuple[int, int] | None = None
        self._speed = (0.0, 0.0)
        self._error = 0.0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        position = now[_OWN[self.place]]
        rest = position + _GLIDE * (position - self._position)
        self._position = position
        if not seen[BALL_Y]:
            self._ball = None
            return "fire" if self._tick % _SERVE < 3 else "nothing"
        self._watch((seen[BALL_X], seen[BALL_Y]))
        ticks, line = self._meeting(seen[BALL_X], seen[BALL_Y])
        if ticks < 0:
            return "nothing"
        off = wrapped(line - _MIDDLE - rest, _APART)
        comes = self._speed[0] * _GOAL[self.place] > 0
        if not comes:  # the partner's paddles, or the own ones, shot it
            off = 0.0 if abs(off) > _GAP else -_GAP if off > 0 else _GAP
        key = "" if abs(off) < 3 else "down" if off > 0 else "up"
        return (
            " ".join(filter(None, (key, "fire" if comes and ticks < 10 and self.skill.error < 1 else ""))) or "nothing"
        )

    def _watch(self, ball: tuple[int, int]) -> None:
        if self._ball is not None:
            moved = ball[0] - self._ball[0], ball[1] - self._ball[1]
            if max(map(abs, moved)) > 12:  # a new ball
                moved = (0, 0)
            if moved[0] * self._speed[0] < 0:
                self._speed, self._error = (float(moved[0]), float(moved[1])), self.misjudged(10)
            self._speed = 0.7 * self._speed[0] + 0.3 * moved[0], 0.7 * self._speed[1] + 0.3 * moved[1]
        self._ball = ball

    def _meeting(self, x: int, y: int) -> tuple[float, float]:
        """Ticks until the ball reaches the next own column, and its line there; -1 ticks for none."""
        way, drift = self._speed
        ticks = [(column - x) / way for column in _COLUMNS[self.place] if way and (column - x) * way > 0]
        if not ticks:
            return -1.0, 0.0
        return min(ticks), reflected(y + drift * min(ticks), _LOW, _HIGH) + self._error
