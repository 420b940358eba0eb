"""A player of Volleyball Pong: stands where the ball comes down, and jumps to it.

The ball's speed stands in the memory: across in whole columns, down in lines and 256ths of one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_BALL_X, _BALL_Y = 0x31, 0x36
_ACROSS, _DOWN, _PART = 0x3A, 0x39, 0x37
_GRAVITY = 33 / 256  # lines a tick, each tick
_LEFT, _RIGHT = 55, 199  # the walls
_GLIDE = 2.0
_SERVE = 40


@dataclass(frozen=True, slots=True)
class Jumper:
    """One seat's figure."""

    x: int  # address of its column
    low: int  # the columns that it can stand on
    high: int
    floor: int  # the ball's line as it meets the figure on its feet
    middle: int  # of the ball's column as it meets the figure, less the figure's own
    reach: int  # ticks before the ball is there, within which it jumps


class JumperPlay(Play):
    """Goes to where the ball comes down, and jumps to it."""

    def __init__(self, jumper: Jumper, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._jumper, self._tick, self._x = jumper, 0, 0
        self._across, self._error = 0, 0.0

    def decide(self, now: Memory, seen: Memory) -> str:
        jumper = self._jumper
        self._tick += 1
        x = now[jumper.x]
        rest = x + _GLIDE * (x - self._x)
        self._x = x
        if not seen[_BALL_Y]:
            return "fire" if self._tick % _SERVE < 4 else "nothing"
        across = _signed(seen[_ACROSS])
        if across != self._across:
            self._across, self._error = across, self.misjudged(7)
        goal, ticks = self._landing(seen, across)
        off = goal - jumper.middle + self._error - rest
        key = "" if abs(off) < 3 else "right" if off > 0 else "left"
        near = abs(goal - jumper.middle - x) < 14 and 0 < ticks - self.reaction < jumper.reach
        return " ".join(filter(None, (key, "fire" if near else ""))) or "nothing"

    def _landing(self, seen: Memory, across: int) -> tuple[float, float]:
        """Where the ball comes down, and in how many ticks; the middle of the own half where another has it."""
        jumper = self._jumper
        down = _signed(seen[_DOWN]) + seen[_PART] / 256
        height = jumper.floor - seen[_BALL_Y]
        ticks = (-down + max(0.0, down * down + 2 * _GRAVITY * height) ** 0.5) / _GRAVITY
        place = seen[_BALL_X] + across * ticks
        place = 2 * _RIGHT - place if place > _RIGHT else 2 * _LEFT - place if place < _LEFT else place
        if not jumper.low - 6 <= place - jumper.middle <= jumper.high + 6:
            return (jumper.low + jumper.high) / 2 + jumper.middle, 999.0
        return place, ticks


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


VOLLEYBALL = (
    Jumper(0x2E, 124, 187, 182, 6, 8), Jumper(0x2D, 52, 115, 182, 6, 8),
    Jumper(0x30, 127, 192, 150, 4, 8), Jumper(0x2F, 55, 118, 150, 4, 8),
)  # fmt: skip
"""By seat."""


def volleyball(place: int, rng: np.random.Generator, skill: Skill) -> Play:
    """A player of Volleyball Pong."""
    return JumperPlay(VOLLEYBALL[place], place, rng, skill)
