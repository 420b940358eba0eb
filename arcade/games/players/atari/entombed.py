"""A player of both games of Entombed: the shortest way down the maze, and through a wall where none leads on.

The maze is read off the picture in columns of 8 and rows of 4 pixels; places are in the memory.
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
_WIDE, _HIGH = 8, 4  # pixels of a square
_TOP, _BOTTOM = 16, 188  # lines of the maze
_FIGURE = (2, 21)  # columns and lines from a place in the memory to the figure's middle
_SLACK = 1.5  # columns off the middle of a way, at most, to walk up or down it
_WAYS = {"down": (0, 1), "left": (-1, 0), "right": (1, 0), "up": (0, -1)}
_SIGHT = ((0.9, 10), (0.5, 16), (0.2, 26))  # rows that are seen ahead, by the least error of the skill
_EXPERT_SIGHT = 43


class EntombedPlay(Play):
    """Goes as deep as the picture shows a way."""

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
        is_open = _open_squares(screen_of(seen))
        x, y = int(now[_X[self.place]]) + _FIGURE[0], int(now[_Y[self.place]]) + _FIGURE[1]
        column, row = x // _WIDE, min((y - _TOP) // _HIGH, len(is_open) - 1)
        way = _way_down(is_open, (column, row), self._sight, self._ways)
        off = x - (column * _WIDE + _WIDE / 2 - 0.5) + self._error
        if len(way) < 2:
            return self._through(off)
        step = way[1][0] - column
        if step:
            return "right" if step > 0 else "left"
        turn = next((square[0] - column for square in way if square[0] != column), 0)
        if abs(off) > _SLACK:
            return "left" if off > 0 else "right"
        vertical = "down" if way[1][1] > row else "up"
        near = turn and abs(next(one[1] for one in way if one[0] != column) - row) <= 2
        return f"{vertical} {'right' if turn > 0 else 'left'}" if near else vertical

    def _through(self, off: float) -> str:
        """Break the wall below."""
        if abs(off) > _SLACK:
            return "left" if off > 0 else "right"
        return "down fire" if self._tick % 16 < 8 else "down"


def _open_squares(screen: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each square, (rows, columns), is no wall, which the frame at the top left is."""
    middle = screen[_TOP + _HIGH // 2 : _BOTTOM : _HIGH, _WIDE // 2 :: _WIDE]
    return np.asarray(middle != screen[_TOP + 2, 0])


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
