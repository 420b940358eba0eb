"""A player of Space Invaders: keeps out of the way of bombs, and shoots at the nearest column of invaders.

A cannon that is hit gives the other 200 points, as much as seven of the best invaders.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_X = (0x1C, 0x1D)
_BOMBS = ((0x53, 0x51), (0x54, 0x52))  # column and line of each
_NO_BOMB = 200  # lines from there on
_GROUND, _MIDDLE = 88, 4  # line where a bomb hits a cannon, and columns from its address to its middle
_FALL = 0.5  # lines a tick
_WALK = 0.5  # columns a tick
_WIDTH = 7  # columns around the middle where a bomb hits
_LOW, _HIGH = 35, 117
_ROWS = range(0x12, 0x18)  # addresses of the rows, the lowest first, a bit a column
_LEFTMOST, _COLUMN, _BETWEEN = 0x1A, 5, 16  # where the first column is, and from one to the next
_FLIGHT = 45  # ticks from a shot to the invaders
_PAST = 64  # ticks over which their way is measured


class SpaceInvadersPlay(Play):
    """Dodges first, then aims."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._places: deque[int] = deque(maxlen=_PAST)
        self._error = (0.0, 0.0)

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 60 == 1:
            self._error = self.misjudged(6), self.misjudged(7)
        self._places.append(seen[_LEFTMOST])
        x = now[_X[self.place]]
        safe = {key: self._clearance(x, way, seen) for key, way in (("", 0), ("left", -1), ("right", 1))}
        aim = self._aim(x, seen)
        if aim in safe and safe[aim] > _WIDTH:
            key = aim
        else:
            key = max(safe, key=lambda one: safe[one])
        shoots = self._tick % 6 < 3
        return " ".join(filter(None, (key, "fire" if shoots else ""))) or "nothing"

    def _clearance(self, x: int, way: int, seen: Memory) -> float:
        """The least distance to a bomb at the ground, for a cannon that moves that way from now on."""
        least = 99.0
        for column, line in _BOMBS:
            below = _GROUND - seen[line]
            if seen[line] >= _NO_BOMB or not -4 <= below <= 34:
                continue
            ticks = max(0.0, below / _FALL - self.reaction)
            there = min(max(x + way * _WALK * ticks, _LOW), _HIGH)
            least = min(least, abs(seen[column] + self._error[0] - _MIDDLE - there))
        return least

    def _aim(self, x: int, seen: Memory) -> str:
        """The key towards the place to shoot from."""
        alive = 0
        for row in _ROWS:
            alive |= seen[row]
        columns = [column for column in range(6) if alive >> column & 1]
        if not columns:
            return ""
        speed = (self._places[-1] - self._places[0]) / len(self._places)
        lead = seen[_LEFTMOST] + _COLUMN + speed * _FLIGHT + self._error[1]
        goal = min((lead + _BETWEEN * column for column in columns), key=lambda place: abs(place - x))
        off = goal - x
        return "" if abs(off) < 2 else "right" if off > 0 else "left"
