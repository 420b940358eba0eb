"""A player of Maze Craze: takes the shortest way to the right-hand side that no robber is on.

The maze is read off the picture, in squares of 4 x 6 pixels; places are in the memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from arcade.games.players.atari.play import Memory, Play, screen_of
from arcade.games.players.atari.skill import SKILLS as LEVELS
from arcade.games.players.atari.skill import Skill

Square = tuple[int, int]
"""Column and row."""

_X, _Y = range(0x4E, 0x52), range(0x47, 0x4B)  # of both players, then the robbers
_TOP, _HIGH, _WIDE = 64, 6, 4  # first line of the maze, and pixels of a square
_ROWS, _COLUMNS = 25, 40
_WAYS = {"up": (0, -1), "right": (1, 0), "left": (-1, 0), "down": (0, 1)}
_SIGHT = (
    (0.9, 8),
    (0.5, 7),
    (0.2, 6),
)  # squares to a robber that is feared, by the least error of the skill; a slow eye fears it earlier
_EXPERT_SIGHT = 6
_FEAR = 3.0  # steps that one square nearer to a robber is worth
_FAR = 99
_ASTRAY = 3.0  # squares by which a beginner misjudges a way at a fork


SKILLS: Mapping[str, Skill] = {**LEVELS, "expert": Skill(error=0.2)}
"""By level; an expert without errors would walk the same way to its end in each of the few mazes that there are."""


class MazePlay(Play):
    """Decides once at each square."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._own: Square | None = None
        self._before: Square | None = None
        self._way = "nothing"
        self._tick = 0
        self._sight = next((sight for least, sight in _SIGHT if skill.error > least), _EXPERT_SIGHT)

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        own = _square(now, self.place)
        if own != self._own or self._tick % 8 == 0:
            if own != self._own:
                self._before, self._own = self._own, own
            self._way = self._best(own, now, seen)
        return self._way

    def _best(self, own: Square, now: Memory, seen: Memory) -> str:
        is_open = _open_squares(screen_of(now))
        exits = [(_COLUMNS - 1, row) for row in range(_ROWS) if is_open[row, -1]]
        left = _steps_from(exits, is_open)
        if own[0] == _COLUMNS - 1 or own not in left:
            return "right"
        danger = _steps_from([_square(seen, place) for place in (2, 3)], is_open)
        costs = self._costs(own, left, danger)
        back = next((name for name in _WAYS if _after(own, name) == self._before), "")
        ways = [name for name in costs if name != "nothing"]
        if len(ways) == 2 and back in ways and self.skill.error and danger.get(own, _FAR) > self._sight + 2:
            return next(name for name in ways if name != back)  # no fork: on
        return min(costs, key=lambda name: costs[name] + self.misjudged(_ASTRAY) + 2 * (name == back))

    def _costs(self, own: Square, left: dict[Square, int], danger: dict[Square, int]) -> dict[str, float]:
        """What each way costs at best, and to stand still: steps to the exit, and more where a robber may come.

        A square counts only where no robber can be first.
        """
        best = {"nothing": 1 + left[own] + self._fear(danger.get(own, _FAR))}
        ways = {own: "nothing"}
        waiting = deque([(own, 0)])
        while waiting:
            at, steps = waiting.popleft()
            for name in _WAYS:
                square = _after(at, name)
                if square in ways or square not in left or danger.get(square, _FAR) <= steps + 1:
                    continue
                way = ways[square] = name if at == own else ways[at]
                cost = steps + 1 + left[square] + self._fear(danger.get(square, _FAR))
                best[way] = min(cost, best.get(way, cost))
                waiting.append((square, steps + 1))
        return best

    def _fear(self, far: int) -> float:
        """What it costs to be so far from a robber."""
        return _FEAR * max(0, self._sight - far)


def _after(square: Square, way: str) -> Square:
    return square[0] + _WAYS[way][0], square[1] + _WAYS[way][1]


def _square(memory: Memory, place: int) -> Square:
    return round(memory[_X[place]] / 4), round(23 - memory[_Y[place]] / 2)


def _open_squares(screen: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each square, (rows, columns), is a corridor; the frame at the top left is a wall."""
    middle = screen[_TOP + _HIGH // 2 :: _HIGH, _WIDE // 2 :: _WIDE][:_ROWS, :_COLUMNS]
    return np.asarray(middle != screen[_TOP, 0])


def _steps_from(starts: list[Square], is_open: NDArray[np.bool_]) -> dict[Square, int]:
    """Squares on the way from the nearest start to each corridor."""
    rows, columns = is_open.shape
    found = dict.fromkeys(starts, 0)
    waiting = deque(starts)
    while waiting:
        at = waiting.popleft()
        for way in _WAYS:
            x, y = square = _after(at, way)
            if square not in found and 0 <= x < columns and 0 <= y < rows and is_open[y, x]:
                found[square] = found[at] + 1
                waiting.append(square)
    return found
