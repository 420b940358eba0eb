"""A player of Volleyball Pong: the lower figure stands where the ball comes down so that it flies over the net.

Where on a figure the ball comes down decides how it flies on across; it falls and rises under a steady pull.  The upper
figure keeps out of its way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_X, _LINE, _PART = 0x31, 0x36, 0x37  # of the ball: column, line, and 256ths of a line
_LEFTWARDS, _DOWN, _DOWN_PART = 0x3A, 0x38, 0x39  # columns and lines that it flies in a tick
_PULL = 33 / 256  # lines a tick, each tick
_LEFT, _RIGHT = 56, 201  # columns where it touches a wall
_NET, _NET_HALF, _NET_TOP = 128.5, 4, 140
_HEAD = 181  # the line where the ball meets a lower figure

_WAYS = {-2: 2.5, -1: 6.0, 0: 9.5, 1: 13.0, 2: 15.5}
"""Columns from a figure's left end to the ball that make it fly so many columns a tick to the right."""
_WIDE = 18  # columns from the left end within which a figure meets the ball
_STEP = 3  # columns that one tick of the stick moves a figure, which gets there a little later
_NEAR = 1.6  # columns off that are near enough
_ASTRAY = 7.0  # columns that a beginner misjudges
_SERVE = 12  # ticks between two tries to serve
_GOOD = 40  # columns from the net from which a ball is easily played over it
_DEEP = 32  # columns from a figure at the wall to a ball that may touch it


@dataclass(frozen=True, slots=True)
class Ball:
    """The ball: its place and its speed in a tick, to the right and downwards."""

    x: float
    y: float
    across: int
    down: float

    @classmethod
    def of(cls, memory: Memory) -> Ball:
        """The ball as the console keeps it."""
        down = _signed(memory[_DOWN]) + memory[_DOWN_PART] / 256
        return cls(memory[_X], memory[_LINE] + memory[_PART] / 256, -_signed(memory[_LEFTWARDS]), down)

    @property
    def is_lost(self) -> bool:
        """Whether the net has caught it."""
        return abs(self.x - _NET) <= _NET_HALF and self.y >= _NET_TOP

    def later(self) -> Ball:
        """The ball a tick later, where no figure is in its way."""
        x, across = self.x + self.across, self.across
        if (self.x <= _LEFT and across < 0) or (self.x >= _RIGHT and across > 0):
            across = -across
            x = self.x + across + (1 if across > 0 else -1)
        return Ball(x, self.y + self.down, across, self.down + _PULL)

    def landing(self) -> Ball:
        """The ball as it comes down to the heads of the lower figures, or into the net."""
        ball = self
        while not ball.is_lost and (ball.y < _HEAD or ball.down < 0):
            ball = ball.later()
        return ball


@dataclass(frozen=True, slots=True)
class Figure:
    """One seat's figure."""

    x: int  # address of the column of its left end
    low: int  # the columns that this can be at
    high: int
    other: int  # address of the column of the lower figure on the other side
    is_upper: bool = False

    @property
    def middle(self) -> float:
        """The column between its ends."""
        return (self.low + self.high) / 2

    def has(self, ball: Ball) -> bool:
        """Whether the ball is on its side of the net."""
        return (ball.x < _NET) == (self.middle < _NET)


class VolleyballPlay(Play):
    """Plays one figure."""

    def __init__(self, figure: Figure, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._figure, self._tick = figure, 0
        self._columns: tuple[int, ...] = ()  # of the last two ticks
        self._pushed = 0
        self._next: Ball | None = None  # as it is in the next tick, where nothing is in its way
        self._landing = Ball(0, 0, 0, 0)
        self._flight: tuple[int, bool] | None = None
        self._error, self._on_figure = 0.0, 9.5

    def decide(self, now: Memory, seen: Memory) -> str:
        figure = self._figure
        self._tick += 1
        x = now[figure.x]
        rest = x + (x - self._columns[0]) + _STEP * self._pushed if self._columns else x
        self._columns = (*self._columns[-1:], x)
        if not seen[_LINE]:
            self._pushed, self._flight = 0, None
            return "fire" if self._tick % _SERVE < 4 else "nothing"
        goal = min(max(self._goal(Ball.of(seen), seen[figure.other]), figure.low), figure.high)
        off = goal - rest
        self._pushed = 0 if abs(off) < _NEAR else 1 if off > 0 else -1
        return ("nothing", "right", "left")[self._pushed]

    def _goal(self, ball: Ball, other: int) -> float:
        """The column to go to."""
        figure = self._figure
        if ball != self._next:
            self._landing = ball.landing()
        landing, self._next = self._landing, ball.later()
        if figure.is_upper:
            return self._aside(landing)
        if not figure.has(landing):
            self._flight = None
            return figure.middle
        if self._flight != (ball.across, ball.down > 0):
            self._flight = ball.across, ball.down > 0
            self._error = self.misjudged(_ASTRAY)
            self._on_figure = _WAYS[max(_WAYS, key=lambda across: self._worth(landing, across, other))]
        return landing.x - self._on_figure + self._error

    def _aside(self, landing: Ball) -> float:
        """Where an upper figure is out of the way of a ball that comes down there, and flies on to the net."""
        figure = self._figure
        wall, net = (figure.low, figure.high) if figure.middle < _NET else (figure.high, figure.low)
        is_deep = figure.has(landing) and abs(landing.x - wall - _WIDE / 2) < _DEEP
        return net if is_deep else wall

    def _worth(self, landing: Ball, across: int, other: int) -> float:
        """How good it is to make a ball that comes down there fly so many columns a tick."""
        figure = self._figure
        if not figure.low - 1 <= landing.x - _WAYS[across] <= figure.high + 1:
            return -1000.0
        end = replace(landing, across=across, down=-landing.down + _PULL).later().landing()
        if end.is_lost:
            return -500.0
        if figure.has(end):
            return -100 - abs(abs(end.x - _NET) - _GOOD)
        return abs(end.x - other - _WIDE / 2)


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


FIGURES = (
    Figure(0x2E, 124, 187, 0x2D), Figure(0x2D, 52, 115, 0x2E),
    Figure(0x30, 127, 192, 0x2D, is_upper=True), Figure(0x2F, 55, 118, 0x2E, is_upper=True),
)  # fmt: skip
"""By seat."""


def volleyball(place: int, rng: np.random.Generator, skill: Skill) -> Play:
    """A player of Volleyball Pong."""
    return VolleyballPlay(FIGURES[place], place, rng, skill)
