"""Players of Space War and of the planes of Combat: turn to where a shot meets the other, and shoot.

All steer by sixteen headings, counted anticlockwise from the right.
"""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np

from arcade.games.figures.atari import SPRITES
from arcade.games.players.atari.play import Memory, Play, screen_of, wrapped
from arcade.games.players.atari.skill import Skill

_PAST = 4.0  # past a ship, a shot that is worth one of few
_CLOSE = 35.0  # to a ship, as near as another goes

Point = tuple[float, float]
"""To the right and downwards."""

HEADINGS = 16
_ASTRAY = 2.5  # headings that a beginner aims beside
_SHOT = 2.2  # of a shot in a tick
_PERIOD, _SLOWER = 14, 50  # ticks from one shot to the next, and how many more a beginner takes


class ShootingPlay(Play):
    """Turns to a heading that hits."""

    _turns = "left", "right"  # keys that turn anticlockwise and clockwise

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._period = _PERIOD + round(_SLOWER * skill.error)
        self._error = 0.0
        self._way: tuple[Point, Point] | None = None  # where the other was, and its speed

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 45 == 1:
            self._error = self.misjudged(_ASTRAY)
        heading, aim = self._heading(now), self._aim(now, seen)
        if aim is None:
            return self._roam()
        off = wrapped(aim + self._error - heading, HEADINGS)
        turn = "" if abs(off) < 0.6 else self._turns[0] if off > 0 else self._turns[1]
        fires = abs(off) < 0.7 and self._tick % self._period < 4 and self._is_worth_it(aim - heading)
        push = "up" if not turn and self._pushes(now) else ""
        return " ".join(filter(None, (push, turn, "fire" if fires else ""))) or "nothing"

    def _is_worth_it(self, off: float) -> bool:
        """Whether to shoot at a heading so far off."""
        return True

    def _pushes(self, now: Memory) -> bool:
        """Whether to keep the own heading."""
        return False

    def _roam(self) -> str:
        return "nothing"

    @abstractmethod
    def _heading(self, now: Memory) -> int:
        """The own heading."""

    @abstractmethod
    def _aim(self, now: Memory, seen: Memory) -> float | None:
        """The heading that hits; None where none does."""

    def _expected(self, at: Point, ticks: float) -> Point:
        """Where the other will be, which was seen there a reaction ago."""
        before, speed = self._way or (at, (0.0, 0.0))
        moved = at[0] - before[0], at[1] - before[1]
        if max(map(abs, moved)) < 8:  # no jump
            speed = 0.9 * speed[0] + 0.1 * moved[0], 0.9 * speed[1] + 0.1 * moved[1]
        self._way = at, speed
        ahead = ticks + self.reaction
        return at[0] + speed[0] * ahead, at[1] + speed[1] * ahead


def heading_to(own: Point, other: Point, around: Point) -> float:
    """The heading of the shorter way, in a world that wraps round after so many columns and lines."""
    across, down = (wrapped(one - two, size) for one, two, size in zip(other, own, around, strict=True))
    return math.atan2(-down, across) / (2 * math.pi) * HEADINGS % HEADINGS


def distance(own: Point, other: Point, around: Point) -> float:
    """The length of that way."""
    return math.hypot(*(wrapped(one - two, size) for one, two, size in zip(other, own, around, strict=True)))


class SpaceWarPlay(ShootingPlay):
    """Plays a ship; columns are counted from the right."""

    _around = 1e6, 1e6  # shots bounce off the edges
    _far = 0.0

    def _is_worth_it(self, off: float) -> bool:
        angle = off * 2 * math.pi / HEADINGS
        return abs(self._far * math.sin(angle)) < _PAST + 8 * self.skill.error

    def _pushes(self, now: Memory) -> bool:
        speeds = [(now[start + self.place] + 128) % 256 - 128 for start in (0x33, 0x37)]
        return self._far > _CLOSE and max(map(abs, speeds)) < 1

    def _heading(self, now: Memory) -> int:
        return now[0x06 + self.place] % HEADINGS

    def _at(self, memory: Memory, place: int) -> Point:
        return -float(memory[0x2B + place]), float(memory[0x2F + place])

    def _aim(self, now: Memory, seen: Memory) -> float | None:
        own, other = self._at(now, self.place), self._at(seen, 1 - self.place)
        far = self._far = distance(own, other, self._around)
        return heading_to(own, self._expected(other, far / _SHOT), self._around)


class PlanePlay(ShootingPlay):
    """Plays a plane of Combat, which always flies; reads places off the picture."""

    _sprites = SPRITES["combat_plane_v2"]
    _turns = "down", "up"
    _around = 160.0, 230.0

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._known: dict[int, Point] = {}

    def _heading(self, now: Memory) -> int:
        return int(now[0x15 + self.place]) % HEADINGS

    def _at(self, memory: Memory, place: int) -> Point:
        box = self._sprites[place].find(screen_of(memory))
        if box is not None:
            self._known[place] = box[0] + box[2] / 2, box[1] + box[3] / 2
        return self._known.get(place, (80.0, 125.0))

    def _aim(self, now: Memory, seen: Memory) -> float | None:
        own, other = self._at(now, self.place), self._at(seen, 1 - self.place)
        far = distance(own, other, self._around)
        return heading_to(own, self._expected(other, far / 4), self._around)
