"""A player of connect four: alpha-beta search with a table of positions, deeper as the board fills.

Boards are two numbers of 49 bits, a column in seven of them, the topmost empty (Tromp, The Fhourstones Benchmark,
https://tromp.github.io/c4/fhour.html).  Leaves count the empty cells that complete four, those weighing more that the
side can reach by the rule of odd and even rows (Allis 1988, A Knowledge-Based Approach of Connect-Four).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.players.budget import Budget, OutOfBudgetError
from arcade.games.players.mistakes import BEGINNER, level_now

POSITIONS = {"easy": 12, "normal": 100, "hard": 2_000, "expert": 50_000}
"""Positions that a level searches for a move; the most take less than a second in Python."""

_ROWS, _COLUMNS = 6, 7
_STRIDE = _ROWS + 1
_ORDER = (3, 2, 4, 1, 5, 0, 6)
_WIN = 10_000
_SORT_DEPTH = 3  # moves left to search, from which on sorting pays
_NOISE = 2  # the middle column counts 3
_BOTTOM = sum(1 << column * _STRIDE for column in range(_COLUMNS))
_BOARD = _BOTTOM * ((1 << _ROWS) - 1)
_COLUMN = tuple(((1 << _ROWS) - 1) << column * _STRIDE for column in range(_COLUMNS))
_ODD = sum(1 << column * _STRIDE + row for column in range(_COLUMNS) for row in (0, 2, 4))  # the first, third, fifth

_Table = dict[tuple[int, int], tuple[int, int, int, int]]  # position to (depth, bound kind, score, best move)


def play(
    observation: NDArray[Any], action_mask: Any, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0
) -> int:
    """Return the column, 0 to 6, for an observation (6, 7, 2): own discs, the opponent's."""
    own, other = (discs_of(observation[:, :, plane]) for plane in (0, 1))
    level = level_now(level, mistakes, rng)
    return near_column(own, other, rng) if level == BEGINNER else best_column(own, other, POSITIONS[level], rng)


def near_column(own: int, other: int, rng: np.random.Generator) -> int:
    """Return a column as a beginner does, who sees the own discs alone: it completes four, or puts discs together."""
    liking = dict[int, float]()
    for column in _ORDER:
        if move := _move(own | other, column):
            near = sum((own & (move << step | move >> step)).bit_count() for step in (1, *range(_ROWS, _ROWS + 3)))
            liking[column] = 10 * has_four(own | move) + near + 2 * float(rng.random())
    return max(liking, key=liking.__getitem__)


def best_column(own: int, other: int, positions: int, rng: np.random.Generator) -> int:
    """Return the best column of the deepest search that `positions` allow; a little noise varies openings."""
    noise = {column: int(rng.integers(_NOISE)) for column in range(_COLUMNS)}
    search = _Search(own, other, positions, noise)
    columns = [column for column in _ORDER if (own | other) & _COLUMN[column] != _COLUMN[column]]
    best = columns[0]
    try:
        for depth in range(1, 1 + _ROWS * _COLUMNS - (own | other).bit_count()):
            scores = search.root(columns, depth)
            columns.sort(key=scores.__getitem__, reverse=True)  # stable: of equal ones the order of before
            best = columns[0]
            if abs(scores[best]) > _WIN // 2:
                break  # decided
    except OutOfBudgetError:
        pass
    return best


class _Search:
    """Negamax with alpha-beta cuts from one position."""

    def __init__(self, own: int, other: int, positions: int, noise: dict[int, int]) -> None:
        self._own, self._other, self._budget, self._noise = own, other, Budget(positions), noise
        self._table: _Table = {}

    def root(self, columns: list[int], depth: int) -> dict[int, int]:
        """The score of each column, exact for the best one and an upper bound for the others."""
        best, scores = -2 * _WIN, dict[int, int]()
        for column in columns:
            move = _move(self._own | self._other, column)
            if has_four(self._own | move):
                return dict.fromkeys(columns, -_WIN) | {column: _WIN}
            noise = self._noise[column]
            scores[column] = noise - self._value(self._other, self._own | move, depth - 1, -2 * _WIN, noise - best)
            best = max(best, scores[column])
        return scores

    def _value(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        """The value for the side to move, within alpha and beta; wins count more the sooner they come."""
        self._budget.spend()
        taken = own | other
        playable = (taken + _BOTTOM) & _BOARD
        if not playable:
            return 0
        if _completing(own, taken) & playable:
            return _WIN - taken.bit_count()
        threats = _completing(other, taken)
        forced = threats & playable
        if forced:
            if forced & forced - 1:
                return taken.bit_count() + 1 - _WIN  # two at once cannot be stopped
            playable = forced
        playable &= ~(threats >> 1)  # a disc below the opponent's threat loses
        if not playable:
            return taken.bit_count() + 1 - _WIN
        if depth <= 0 and not forced:
            return _worth(own, other)
        found = self._table.get((own, other))
        if found is not None and found[0] >= depth:
            _, kind, score, _ = found
            if kind == 0 or (kind > 0 and score >= beta) or (kind < 0 and score <= alpha):
                return score
        moves = self._ordered(own, taken, playable, depth, found[3] if found is not None else 0)
        start, best, chosen = alpha, -2 * _WIN, 0
        for move in moves:
            score = -self._value(other, own | move, depth - 1, -beta, -alpha)
            if score > best:
                best, chosen = score, move
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        self._table[own, other] = depth, (best >= beta) - (best <= start), best, chosen
        return best

    @staticmethod
    def _ordered(own: int, taken: int, playable: int, depth: int, first: int) -> list[int]:
        """The moves: `first`, the best one at a lower depth, then the others by the threats that they make."""
        moves = [move for column in _ORDER if (move := playable & _COLUMN[column])]
        if depth >= _SORT_DEPTH and len(moves) > 1:
            moves.sort(key=lambda move: -_completing(own | move, taken | move).bit_count())
        if first and moves[0] != first:
            moves.remove(first)
            moves.insert(0, first)
        return moves


def _move(taken: int, column: int) -> int:
    return (taken + (1 << column * _STRIDE)) & _COLUMN[column]


def _completing(discs: int, taken: int) -> int:
    """The empty cells that complete four of `discs`."""
    cells = discs << 1 & discs << 2 & discs << 3
    for shift in (_STRIDE - 1, _STRIDE, _STRIDE + 1):
        pairs = discs << shift & discs << 2 * shift
        cells |= pairs & discs << 3 * shift | pairs & discs >> shift
        pairs = discs >> shift & discs >> 2 * shift
        cells |= pairs & discs >> 3 * shift | pairs & discs << shift
    return cells & _BOARD & ~taken


def _worth(own: int, other: int) -> int:
    """The heuristic value of a position without immediate wins for the side to move."""
    taken = own | other
    first_to_move = taken.bit_count() % 2 == 0
    ours, theirs = _completing(own, taken), _completing(other, taken)
    mine, yours = (_ODD, ~_ODD) if first_to_move else (~_ODD, _ODD)
    good = 20 * ours.bit_count() + 20 * (ours & mine).bit_count()
    bad = 20 * theirs.bit_count() + 20 * (theirs & yours).bit_count()
    middle = 3 * ((own & _COLUMN[3]).bit_count() - (other & _COLUMN[3]).bit_count())
    near = sum((own & _COLUMN[c]).bit_count() - (other & _COLUMN[c]).bit_count() for c in (2, 4))
    return good - bad + middle + near


def has_four(discs: int) -> bool:
    """Return whether four of these discs stand in a row."""
    for shift in (1, _STRIDE - 1, _STRIDE, _STRIDE + 1):
        pairs = discs & discs >> shift
        if pairs & pairs >> 2 * shift:
            return True
    return False


def discs_of(plane: NDArray[Any]) -> int:
    """The bits of a plane whose first row is the top."""
    rows, columns = np.nonzero(plane)
    return sum(1 << int(column * _STRIDE + _ROWS - 1 - row) for row, column in zip(rows, columns, strict=True))
