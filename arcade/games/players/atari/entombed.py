"""A player of both games of Entombed: the shortest way down the maze, away from the zombie.

The maze is read off the picture, places and how far it has scrolled off the memory.  Figures go one way at a time, and
fit through a way of one square only where they stand in the middle of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arcade.games.players.atari.play import Memory, Play, screen_of
from arcade.games.players.atari.skill import Skill

Square = tuple[int, int]
"""Column and row."""

_X, _Y = (0x32, 0x33), (0x30, 0x31)
_FOE_X, _FOE_Y, _FOE_SEEN = 0x56, 0x53, range(91, 254)  # the zombie's place, and where down the maze it is in sight
_SCROLLED = 0x36  # lines, less one
_WIDE, _HIGH = 8, 16  # pixels of a square
_TOP, _BOTTOM = 14, 191  # lines of the maze
_WAYS = {"down": (0, 1), "left": (-1, 0), "right": (1, 0), "up": (0, -1)}
_SLACK_X, _SLACK_Y = 1.0, 3.0  # pixels off the middle of a square, at most, to leave it up or down, and to a side
_SIGHT = ((0.9, 2), (0.5, 4), (0.2, 6))  # rows that are seen ahead, by the least error of the skill
_EXPERT_SIGHT = 11
_DEEP = 5  # the row below which zombies come too suddenly
_FEAR_X, _FEAR_Y = 20, 24  # pixels from the zombie to the middle of a square that is too near


class EntombedPlay(Play):
    """Goes where the picture shows the longest way down, but not to the bottom."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._sight = next((sight for least, sight in _SIGHT if skill.error > least), _EXPERT_SIGHT)
        self._tick = 0
        self._error = 0.0
        ways = list(_WAYS.values())
        self._ways = [ways[at] for at in rng.permutation(len(ways))]  # of equal ones the first is taken

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 40 == 1:
            self._error = self.misjudged(1.0)
        x, y = int(now[_X[self.place]]) + 2, 16 / 15 * int(now[_Y[self.place]]) + 17.5
        top = first_line(now)
        is_open = open_squares(screen_of(seen), first_line(seen))
        column, row = x // _WIDE, min(int(y - top) // _HIGH, len(is_open) - 1)
        foe = _foe(seen)
        if foe is not None:
            is_open &= ~_near(foe, first_line(seen), len(is_open))
        way = _way_down(is_open, (column, row), self._sight, self._ways)
        right = x - (column * _WIDE + _WIDE / 2 - 0.5) + self._error  # of the middle of its square
        if len(way) < 2:
            return self._through(right)
        across, down = way[1][0] - column, way[1][1] - row
        if across:
            low = y - (top + row * _HIGH + _HIGH / 2)
            if abs(low) >= _SLACK_Y:
                return "up" if low > 0 else "down"
            return "right" if across > 0 else "left"
        if abs(right) >= _SLACK_X:
            return "left" if right > 0 else "right"
        is_clear = way[-1][1] >= min(len(is_open), row + self._sight) - 1 and (foe is None or foe[1] > y)
        if down > 0 and row >= _DEEP and is_clear:
            return "nothing"
        return "down" if down > 0 else "up"

    def _through(self, right: float) -> str:
        """Break the wall below."""
        if abs(right) >= _SLACK_X:
            return "left" if right > 0 else "right"
        return "down fire" if self._tick % 16 < 8 else "down"


def first_line(memory: Memory) -> int:
    """The line where the topmost square begins, of which a part may have scrolled away."""
    return _TOP - _HIGH + (int(memory[_SCROLLED]) - 1 - _TOP) % _HIGH


def open_squares(screen: NDArray[np.uint8], first: int) -> NDArray[np.bool_]:
    """Whether each square, (rows, columns), is no wall, which the frame at the left is, nor a bar inside a way."""
    lines = np.arange(first + _HIGH // 2, _BOTTOM, _HIGH)
    lines[0] = max(lines[0], _TOP + 1)
    wall = screen[lines[1], 0]
    return np.asarray((screen[lines, ::_WIDE] != wall) | (screen[lines, _WIDE - 1 :: _WIDE] != wall))


def _foe(memory: Memory) -> tuple[int, float] | None:
    """The middle of the zombie, across and down; None where there is none."""
    x, y = int(memory[_FOE_X]), int(memory[_FOE_Y])
    return (x + 3, 16 / 15 * y - 77) if x and y in _FOE_SEEN else None


def _near(foe: tuple[int, float], first: int, rows: int) -> NDArray[np.bool_]:
    """Whether each square is too near to the zombie."""
    columns = np.abs(np.arange(20) * _WIDE + _WIDE / 2 - foe[0]) < _FEAR_X
    lines = np.abs(first + np.arange(rows) * _HIGH + _HIGH / 2 - foe[1]) < _FEAR_Y
    return np.asarray(lines[:, None] & columns)


def _way_down(is_open: NDArray[np.bool_], start: Square, sight: int, ways: Sequence[Square]) -> list[Square]:
    """The squares from the start, first, to the nearest of the deepest that it reaches."""
    rows, columns = is_open.shape
    came: dict[Square, Square] = {start: start}
    steps, waiting = {start: 0}, deque([start])
    while waiting:
        at = waiting.popleft()
        for dx, dy in ways:
            x, y = square = at[0] + dx, at[1] + dy
            if square in came or not (0 <= x < columns and 0 <= y < min(rows, start[1] + sight)) or not is_open[y, x]:
                continue
            came[square], steps[square] = at, steps[at] + 1
            waiting.append(square)
    at = max(came, key=lambda one: (one[1], -steps[one]))
    way = [at]
    while at != start:
        at = came[at]
        way.append(at)
    return way[::-1]
