"""A player of tic-tac-toe by exhaustive search, perfect at its full depth, where it also sets traps.

Of moves that are equal against perfect play the expert takes those after which the fewest replies save the opponent.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.players.mistakes import BEGINNER, level_now

_LINES = tuple(
    sum(1 << cell for cell in line)
    for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
)
_FULL = 0b111_111_111
_ALIKE = 0.02  # points between moves that the expert draws from, so that openings vary


DEPTH = {BEGINNER: 0, "easy": 1, "normal": 2, "hard": 4, "expert": 9}
"""Moves that a level looks ahead; none overlooks lines, one completes its own, two stop the opponent's,
four see a fork."""


def play(
    observation: NDArray[Any], action_mask: Any, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0
) -> int:
    """Return the cell to mark, 0 to 8, for an observation (3, 3, 2): own marks, the opponent's."""
    return int(rng.choice(best_cells(observation, level_now(level, mistakes, rng))))


def best_cells(observation: NDArray[Any], level: str) -> list[int]:
    """Return the cells that are best as far as the level looks ahead, of which the player draws one."""
    own, other = (sum(1 << int(i) for i in np.flatnonzero(observation[:, :, plane])) for plane in (0, 1))
    free = [cell for cell in range(9) if not (own | other) >> cell & 1]
    cells = _best(own, other, free, DEPTH[level]) if DEPTH[level] else _overlooking(own, other, free)
    if DEPTH[level] < 9:
        return cells
    hopes = {cell: _hope(own | 1 << cell, other) for cell in cells}
    return [cell for cell, hope in hopes.items() if hope > max(hopes.values()) - _ALIKE]


def _overlooking(own: int, other: int, free: list[int]) -> list[int]:
    """The cells that complete no line of either side, all where there are none."""
    return [cell for cell in free if not (_has_line(own | 1 << cell) or _has_line(other | 1 << cell))] or free


def _best(own: int, other: int, free: list[int], depth: int) -> list[int]:
    scores = {cell: -_value(other, own | 1 << cell, depth - 1) for cell in free}
    best = max(scores.values())
    return [cell for cell, score in scores.items() if score == best]


@cache
def _hope(own: int, other: int) -> float:
    """The points to expect for `own`, which has just moved and plays on perfectly, against random replies."""
    free = [cell for cell in range(9) if not (own | other) >> cell & 1]
    if not free or _has_line(own):
        return 1.0 if _has_line(own) else 0.5
    total = 0.0
    for reply in free:
        replied, left = other | 1 << reply, [cell for cell in free if cell != reply]
        if not _has_line(replied):
            cells = _best(own, replied, left, 9) if left else []
            total += max((_hope(own | 1 << cell, replied) for cell in cells), default=0.5)
    return total / len(free)


def _has_line(cells: int) -> bool:
    return any(cells & line == line for line in _LINES)


@cache
def _value(own: int, other: int, depth: int) -> int:
    """The value for the side to move, `depth` moves ahead: free cells at a win or loss and 1 more, else 0."""
    free = _FULL & ~(own | other)
    if _has_line(other):
        return -1 - free.bit_count()  # the longer a loss takes the better
    cells = [1 << cell for cell in range(9) if free >> cell & 1 and depth > 0]
    return max((-_value(other, own | cell, depth - 1) for cell in cells), default=0)
