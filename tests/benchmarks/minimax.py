"""Players of connect four that look four, six and eight moves ahead, and one that the first plays against.

Minimax with alpha-beta cuts to a depth of moves: a win counts the more the sooner it comes, a loss the less the
later, all else is 0.  Columns are tried from the middle outwards and the first of equal ones is played, so that a
position has one answer.  `python:tests.benchmarks.minimax:play` is the first one's seat word, `:six` and `:eight` those
of the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.players.connect_four import discs_of, has_four

DEPTH = 4
LOOSE = 0.3
"""Chance that the opponent moves at random."""

ROWS, COLUMNS = 6, 7
STRIDE = ROWS + 1  # bits of a column, the topmost empty (Tromp, The Fhourstones Benchmark)
ORDER = (3, 2, 4, 1, 5, 0, 6)
WIN = 10_000


def play(observation: NDArray[Any], action_mask: Any, rng: np.random.Generator, *, depth: int = DEPTH) -> int:
    """Its move for an observation of classic/connect_four_v3, (6, 7, 2): own discs, the others'."""
    own, other = (discs_of(observation[:, :, plane]) for plane in (0, 1))
    heights = [int(column.sum()) for column in observation.sum(axis=2).T]
    scores = {column: _score(own, other, heights, column, depth) for column in ORDER if heights[column] < ROWS}
    return max(scores, key=lambda column: scores[column])  # the first of equal ones


def loose(observation: NDArray[Any], action_mask: Any, rng: np.random.Generator) -> int:
    """As `play`, but some of its moves are at random, so that no two games are alike."""
    if rng.random() < LOOSE:
        return int(rng.choice(np.flatnonzero(action_mask)))
    return play(observation, action_mask, rng)


def six(observation: NDArray[Any], action_mask: Any, rng: np.random.Generator) -> int:
    """As `play`, six moves ahead."""
    return play(observation, action_mask, rng, depth=6)


def eight(observation: NDArray[Any], action_mask: Any, rng: np.random.Generator) -> int:
    """As `play`, eight moves ahead."""
    return play(observation, action_mask, rng, depth=8)


def _score(own: int, other: int, heights: list[int], column: int, depth: int) -> int:
    after = own | 1 << (column * STRIDE + heights[column])
    if has_four(after):
        return WIN + depth
    heights[column] += 1
    score = -_search(other, after, heights, depth - 1, -2 * WIN, 2 * WIN)
    heights[column] -= 1
    return score


def _search(own: int, other: int, heights: list[int], depth: int, alpha: int, beta: int) -> int:
    """What the position is worth to whoever is to move, within alpha and beta."""
    open_columns = [column for column in ORDER if heights[column] < ROWS]
    if depth == 0 or not open_columns:
        return 0
    moves = {column: own | 1 << (column * STRIDE + heights[column]) for column in open_columns}
    if any(has_four(after) for after in moves.values()):
        return WIN + depth
    for column, after in moves.items():
        heights[column] += 1
        alpha = max(alpha, -_search(other, after, heights, depth - 1, -beta, -alpha))
        heights[column] -= 1
        if alpha >= beta:
            break
    return alpha
