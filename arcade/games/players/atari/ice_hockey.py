"""A player of Ice Hockey: the figure nearest to the puck gets it, carries it to the other goal and shoots.

The console lets a seat move whichever of its two figures is nearer to the puck.  A puck on the stick slides along it
and back: from its middle it is shot straight on, from its ends aside.  Lines count from the bottom.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from arcade.games.players.atari.paddles import reflected
from arcade.games.players.atari.play import Memory, Play, towards
from arcade.games.players.atari.skill import Skill

_PUCK_X, _PUCK_Y = 0x34, 0x33
_X, _Y = 0x39, 0x35  # of the first of four figures, of Blue and Yellow by turns
_HOLDER = 0x5A  # which figure has the puck; 255 for none
_SLIDE, _SLIDES, _TURNS = 0x6E, 32, 30  # of the puck on the stick: a count down, of so many ticks each way, from there
_GOAL_X, _GOAL_HALF = 89, 11
_GOAL_Y = (5, 143)  # lines of the goals that Blue and Yellow shoot at
_RIGHT, _LEFT, _FACES = 14, -6, 4  # columns from a figure to the middle of its stick either way, and between them
_STICK = 3  # columns from there in which it takes the puck
_RANGE, _CLOSE = 60, 34  # lines from the goal from which a shot gets there, and near enough
_SLANT = 0.9  # columns that a shot from the end of the stick goes aside in a line
_SWING = 4  # ticks from the key to the shot
_MIDDLE, _BODY = 4, 13  # columns from a figure to its middle, and from there within which it may stop the puck
_PATIENCE = 100  # ticks in which a player comes to try its luck with others in the way
_ASIDE = 15  # columns from the goal's middle to the courses on which it is approached
_COURSE = 30  # columns and lines from another figure, which makes a course worse
_COLUMNS, _LINES = (43, 135), (2, 146)  # of the ice
_WALKS, _SKATES = 0.25, 0.5  # columns and lines that a figure skates in a tick
_SLOWS = 90  # ticks in which a puck loses most of its speed
_ASTRAY = 16.0  # columns and lines that a beginner misjudges
_LOOK, _JUMP = 8, 8  # ticks of the puck's way that are looked at; columns and lines that it never slides in a tick
_LATEST = 320  # ticks until it is met, at most
_HOLD = 4  # ticks in which the console looks at the stick once

Point = tuple[int, int]


class IceHockeyPlay(Play):
    """Chases the puck, and shoots."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._error = (0.0, 0.0)
        self._waits = 0  # ticks in which it could have shot
        self._faces = ""
        self._keys = "nothing"
        self._pucks: deque[Point] = deque(maxlen=_LOOK + 1)

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 45 == 1:
            self._error = self.misjudged(_ASTRAY), self.misjudged(_ASTRAY)
        puck = seen[_PUCK_X], seen[_PUCK_Y]
        if self._pucks and _far(puck, self._pucks[-1]) > _JUMP:
            self._pucks.clear()
        self._pucks.append(puck)
        if self._tick % _HOLD == 1:
            self._keys = self._choose(now, seen, puck)
        return self._keys

    def _choose(self, now: Memory, seen: Memory, puck: Point) -> str:
        holder = now[_HOLDER]
        if holder % 2 == self.place and holder < 4:
            return self._attack(now, seen, self._figure(now, holder))
        self._waits = 0
        return self._chase(seen, puck, min(map(self._figure, (now, now), self._own), key=lambda at: _far(at, puck)))

    @property
    def _own(self) -> tuple[int, int]:
        return self.place, self.place + 2

    @staticmethod
    def _figure(memory: Memory, index: int) -> Point:
        return memory[_X + index], memory[_Y + index]

    def _chase(self, seen: Memory, puck: Point, own: Point) -> str:
        """Skate so that the puck comes to the stick, which is on the side of the last step."""
        x, line = self._meeting(own, puck)
        off = x - own[0]
        middle = _RIGHT if off > _FACES else _LEFT
        walk = towards(off - middle, _STICK, "right", "left") or ("right" if off > _FACES else "left")
        if self._faces == walk and abs(off - middle) < _STICK:
            walk = ""
        self._faces = walk or self._faces
        step = towards(line - own[1], 2, "up", "down")
        trips = seen[_HOLDER] in self._others and _far(own, puck) < 25 and self._tick % 16 < _HOLD
        return " ".join(filter(None, (step, walk, "fire" if trips else ""))) or "nothing"

    def _meeting(self, own: Point, puck: Point) -> tuple[float, float]:
        """Where the figure can be as soon as the puck."""
        speed = [
            (one - two) / _LOOK if len(self._pucks) > _LOOK else 0
            for one, two in zip(puck, self._pucks[0], strict=True)
        ]
        x, y = 0.0, 0.0
        for ticks in range(0, _LATEST, 8):
            slides = _SLOWS * (1 - math.exp(-(ticks + self.reaction) / _SLOWS))
            x = reflected(puck[0] + speed[0] * slides, *_COLUMNS)
            y = reflected(puck[1] + speed[1] * slides, *_LINES)
            walks = min(abs(x - own[0] - _RIGHT), abs(x - own[0] - _LEFT)) / _WALKS
            if max(walks, abs(y - own[1]) / _SKATES) <= ticks:
                break
        return x + self._error[0], y + self._error[1]

    def _attack(self, now: Memory, seen: Memory, own: Point) -> str:
        puck = now[_PUCK_X], now[_PUCK_Y]
        far = abs(_GOAL_Y[self.place] - puck[1])
        is_right = puck[0] - own[0] > _FACES
        self._waits += _HOLD * (far < _RANGE)
        shoots = far < _RANGE and self._scores(now, seen, puck, is_right=is_right)
        course = min((_GOAL_X - _ASIDE, _GOAL_X + _ASIDE), key=lambda column: self._blocks(seen, own, column))
        walk = towards(course - _MIDDLE - own[0], 6, "right", "left")
        self._faces = walk or self._faces
        step = "" if far < _CLOSE else "down" if self.place == 0 else "up"
        return " ".join(filter(None, (step, walk, "fire" if shoots else ""))) or "nothing"

    @property
    def _others(self) -> tuple[int, int]:
        return 1 - self.place, 3 - self.place

    def _blocks(self, seen: Memory, own: Point, column: int) -> float:
        """How much the others are in the way on a course, and how far off it is."""
        cost = 0.2 * abs(column - own[0] - _MIDDLE)
        for x, y in (self._figure(seen, index) for index in self._others):
            ahead = (y - own[1]) * (1 if self.place else -1)
            if ahead > -_COURSE / 3:
                cost += max(0, _COURSE - abs(column - x - _MIDDLE)) * (2 if ahead < _COURSE else 1)
        return cost

    def _scores(self, now: Memory, seen: Memory, puck: tuple[int, int], *, is_right: bool) -> bool:
        """Whether a shot from where the puck will be on the stick goes past the others into the goal."""
        slid = 1 - abs((now[_SLIDE] - _SWING) % (2 * _SLIDES) - _TURNS) / _SLIDES  # from one end, 0, to the other, 1
        slant = _SLANT * (2 * slid - 1) * (1 if is_right else -1)
        goal = _GOAL_Y[self.place]
        end = puck[0] + slant * abs(goal - puck[1])
        if abs(end + self._error[0] - _GOAL_X) > _GOAL_HALF:
            return False
        for other in (self._figure(seen, index) for index in self._others):
            is_between = min(goal, puck[1]) - 6 < other[1] < max(goal, puck[1])
            past = puck[0] + slant * abs(other[1] - puck[1]) - other[0] - _MIDDLE
            if is_between and abs(past) < _BODY * (1 - self._waits / _PATIENCE):
                return False
        return True


def _far(one: Point, two: Point) -> int:
    return abs(one[0] - two[0]) + abs(one[1] - two[1])
