"""A player of both games of Entombed: the shortest way down the maze, away from the zombie.

The maze is read off the picture, places and how far it has scrolled off the memory.  Figures go one way at a time, and
fit through a way of one square only where they stand in the middle of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from arcade.games.players.atari.play import Memory, Play, screen_of
from arcade.games.players.atari.skill import Skill

Square = tuple[int, int]
"""Column and row."""
Foe = tuple[int, float]
"""Pixels across and lines down."""
Maze = NDArray[np.bool_]
"""Whether each square is open: (rows, columns)."""

_X, _Y = (0x32, 0x33), (0x30, 0x31)
_FOE_X, _FOE_Y, _FOE_SEEN = 0x56, 0x53, range(91, 254)  # the zombie's place, and where down the maze it is in sight
_LINES = 16 / 15  # by which a figure is further down for each 1 of its place in memory
_MIDDLE, _FOE_MIDDLE = (2, 17.5), (3, -77.0)  # columns and lines from a place of nought to the middle of the figure
_SCROLLED = 0x36  # one more than the line where a row of squares begins, modulo the height of a square
_WIDE, _HIGH = 8, 16  # pixels of a square
_COLUMNS = 20
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
        x, y = int(now[_X[self.place]]) + _MIDDLE[0], _LINES * int(now[_Y[self.place]]) + _MIDDLE[1]
        top, first = _first_line(now), _first_line(seen)
        column, row = x // _WIDE, int(y - top) // _HIGH
        right = x - (column * _WIDE + _WIDE / 2 - 0.5) + self._error  # of the middle of its square
        low = y - (top + row * _HIGH + _HIGH / 2)
        maze, foe = _open_squares(screen_of(seen), first), _foe(seen)
        row_seen = row + (top > first)  # a row may have scrolled away since
        start = min(column, _COLUMNS - 1), min(row_seen, len(maze) - 1)
        way = self._way(maze, start, foe, first)
        if len(way) < 2:
            return self._through(right)
        across, down = way[1][0] - way[0][0], way[1][1] - way[0][1]
        if across:
            if abs(low) >= _SLACK_Y:
                return "up" if low > 0 else "down"
            return "right" if across > 0 else "left"
        if abs(right) >= _SLACK_X:
            return "left" if right > 0 else "right"
        is_clear = way[-1][1] >= min(len(maze), start[1] + self._sight) - 1 and (foe is None or foe[1] > y)
        if down > 0 and start[1] >= _DEEP and is_clear:
            return "nothing"
        return "down" if down > 0 else "up"

    def _way(self, maze: Maze, start: Square, foe: Foe | None, first: int) -> list[Square]:
        """The squares from the start, first, to the nearest of the deepest; away from a zombie that bars the way."""
        far = start[1] + self._sight
        free = _reached(maze, start, far, self._ways)
        if foe is None:
            return _way_to(free, _deepest(free))
        lines, columns = _distances(foe, first, len(maze))
        is_near = (lines[:, None] < _FEAR_Y) & (columns < _FEAR_X)
        safe = _reached(maze & ~is_near, start, far, self._ways)
        at = start[::-1]
        if _deepest(safe) != start or (_deepest(free) == start and not is_near[at]):
            return _way_to(safe, _deepest(safe))
        apart = lines[:, None] + columns
        fleeing = _reached(maze & (apart >= apart[at]), start, far, self._ways)
        return _way_to(fleeing, max(fleeing, key=lambda one: apart[one[::-1]]))

    def _through(self, right: float) -> str:
        """Break the wall below."""
        if abs(right) >= _SLACK_X:
            return "left" if right > 0 else "right"
        return "down fire" if self._tick % 16 < 8 else "down"


def _first_line(memory: Memory) -> int:
    """The line where the topmost square begins, of which a part may have scrolled away."""
    return _TOP - _HIGH + (int(memory[_SCROLLED]) - 1 - _TOP) % _HIGH


def _open_squares(screen: NDArray[np.uint8], first: int) -> Maze:
    """Whether each square is open: its left or right edge has another colour than the frame at the screen's left."""
    lines = np.arange(first + _HIGH // 2, _BOTTOM, _HIGH)
    lines[0] = max(lines[0], _TOP + 1)
    wall = screen[lines[1], 0]
    return np.asarray((screen[lines, ::_WIDE] != wall) | (screen[lines, _WIDE - 1 :: _WIDE] != wall))


def _foe(memory: Memory) -> Foe | None:
    """The middle of the zombie; None where there is none."""
    x, y = int(memory[_FOE_X]), int(memory[_FOE_Y])
    return (x + _FOE_MIDDLE[0], _LINES * y + _FOE_MIDDLE[1]) if x and y in _FOE_SEEN else None


def _distances(foe: Foe, first: int, rows: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Distances from the zombie: lines, of each row of squares, and pixels across, of each column."""
    lines = np.abs(first + np.arange(rows) * _HIGH + _HIGH / 2 - foe[1])
    return lines, np.abs(np.arange(_COLUMNS) * _WIDE + _WIDE / 2 - foe[0])


def _reached(maze: Maze, start: Square, far: int, ways: Sequence[Square]) -> dict[Square, Square]:
    """Every square above row `far` that can be reached, nearest first, with the one before it on the way."""
    rows, columns = maze.shape
    came, waiting = {start: start}, deque([start])
    while waiting:
        at = waiting.popleft()
        for dx, dy in ways:
            x, y = square = at[0] + dx, at[1] + dy
            if square not in came and 0 <= x < columns and 0 <= y < min(rows, far) and maze[y, x]:
                came[square] = at
                waiting.append(square)
    return came


def _deepest(reached: Mapping[Square, Square]) -> Square:
    """The nearest of the deepest squares."""
    return max(reached, key=lambda one: one[1])


def _way_to(came: Mapping[Square, Square], goal: Square) -> list[Square]:
    """The squares from the start of the search to the goal, with both."""
    way = [goal]
    while came[way[-1]] != way[-1]:
        way.append(came[way[-1]])
    return way[::-1]
