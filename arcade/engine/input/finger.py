"""Finger: a finger on a touch screen, as taps, drags and scrolling instead of the mouse that SDL makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from arcade.engine.input.events import Point, PointerInput

REACH = 12
"""Pixels that a finger may move in a tap."""


class _Does(Enum):
    NOTHING, TOUCHES, DRAGS, SCROLLS = auto(), auto(), auto(), auto()


class Finger:
    """A press counts when the finger leaves the screen, since it may begin to scroll.

    A finger that moves up or down scrolls what is under it; one that moves sideways drags, a slider for example.
    """

    def __init__(self) -> None:
        self._does = _Does.NOTHING
        self._start = self._last = (0, 0)

    def press(self, pos: Point) -> Iterator[PointerInput]:
        """The finger touches the screen."""
        self._does, self._start, self._last = _Does.TOUCHES, pos, pos
        yield from ()

    def move(self, pos: Point) -> Iterator[PointerInput]:
        """The finger moves."""
        across, down = pos[0] - self._start[0], pos[1] - self._start[1]
        if self._does is _Does.TOUCHES and max(abs(across), abs(down)) > REACH:
            self._does = _Does.SCROLLS if abs(down) > abs(across) else _Does.DRAGS
            if self._does is _Does.DRAGS:
                yield PointerInput("move", self._start)
                yield PointerInput("press", self._start, 1)
        if self._does is _Does.SCROLLS:
            yield PointerInput("scroll", self._start, pixels=pos[1] - self._last[1])
            self._last = pos
        elif self._does is _Does.DRAGS:
            yield PointerInput("move", pos)

    def release(self, pos: Point) -> Iterator[PointerInput]:
        """The finger leaves the screen."""
        does, self._does = self._does, _Does.NOTHING
        if does is _Does.TOUCHES:
            yield PointerInput("move", self._start)
            yield PointerInput("press", self._start, 1)
        if does in (_Does.TOUCHES, _Does.DRAGS):
            yield PointerInput("release", pos, 1)
