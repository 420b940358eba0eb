"""A player of Othello: reads the board, searches a few half-moves ahead, and walks the cursor to the square.

Boards are two numbers of 64 bits, a square to the bit of its address.  Positions are judged by the squares held,
corners above all, and by the moves left to each side (Rosenbloom 1982, A World-Championship-Level Othello Program).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_CURSOR, _TURN = 0x4F, 0x40
_DISCS = (255, 1)  # of White and Black, on squares and in the byte of the turn
_ALL = (1 << 64) - 1
_NOT_FIRST = 0xFEFEFEFEFEFEFEFE  # a step to the next bit never enters the first column
_NOT_LAST = 0x7F7F7F7F7F7F7F7F
_STEPS = (
    (1, _NOT_FIRST), (-1, _NOT_LAST), (8, _ALL), (-8, _ALL),
    (9, _NOT_FIRST), (-9, _NOT_LAST), (7, _NOT_LAST), (-7, _NOT_FIRST),
)  # fmt: skip
_CORNERS, _BESIDE, _DIAGONAL = 0x8100000000000081, 0x4281000000008142, 0x0042000000004200
_EDGES = 0x3C0081818181003C
_WIN = 10_000
_DEPTHS = ((0.9, 0), (0.5, 1), (0.2, 2))  # half-moves behind the own one, by the least error of the skill
_EXPERT_DEPTH = 3


def _shift(board: int, by: int, mask: int) -> int:
    return ((board << by) if by > 0 else (board >> -by)) & mask & _ALL


def flipped(own: int, other: int, square: int) -> int:
    """The discs that a disc on `square`, a bit, would turn over."""
    found = 0
    for by, mask in _STEPS:
        line, at = 0, _shift(square, by, mask)
        while at & other:
            line |= at
            at = _shift(at, by, mask)
        if at & own:
            found |= line
    return found


def moves(own: int, other: int) -> int:
    """The squares where the side to move may put a disc."""
    empty, found = ~(own | other) & _ALL, 0
    for by, mask in _STEPS:
        at = _shift(own, by, mask) & other
        for _ in range(5):
            at |= _shift(at, by, mask) & other
        found |= _shift(at, by, mask) & empty
    return found


def squares(board: int) -> Iterator[int]:
    """Each square of a board, as a bit."""
    while board:
        lowest = board & -board
        yield lowest
        board ^= lowest


def _judged(own: int, other: int) -> float:
    def held(side: int) -> int:
        return (
            60 * (side & _CORNERS).bit_count() + 4 * (side & _EDGES).bit_count()
            - 12 * (side & _BESIDE).bit_count() - 25 * (side & _DIAGONAL).bit_count()
        )  # fmt: skip

    mobile = moves(own, other).bit_count() - moves(other, own).bit_count()
    return held(own) - held(other) + 6 * mobile


def value(own: int, other: int, depth: int, low: float = -2 * _WIN, high: float = 2 * _WIN) -> float:
    """The value for the side to move, by alpha-beta search of so many half-moves."""
    legal = moves(own, other)
    if not legal:
        if not moves(other, own):
            lead = own.bit_count() - other.bit_count()
            return lead + (_WIN if lead > 0 else -_WIN if lead < 0 else 0)
        return -value(other, own, depth, -high, -low)
    if depth <= 0:
        return _judged(own, other)
    for square in squares(legal):
        turned = flipped(own, other, square)
        low = max(low, -value(other & ~turned, own | square | turned, depth - 1, -high, -low))
        if low >= high:
            break
    return low


class OthelloPlay(Play):
    """Looks at one move a tick, then puts its disc."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._depth = next((depth for least, depth in _DEPTHS if skill.error > least), _EXPERT_DEPTH)
        self._board = (0, 0)
        self._left: list[int] = []  # moves to look at
        self._best: tuple[float, int] = (-np.inf, -1)  # with its address
        self._tick = 0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if now[_TURN] != _DISCS[self.place]:
            self._board = (0, 0)
            return "nothing"
        self._look(now)
        if self._left:
            self._weigh(self._left.pop())
            return "nothing"
        if self._best[1] < 0:
            return "nothing"
        return self._walk(now[_CURSOR], self._best[1])

    def _look(self, now: Memory) -> None:
        """Begin to think where the board is new."""
        own, other = (sum(1 << i for i in range(64) if now[i] == disc) for disc in self._sides)
        if (own, other) != self._board:
            self._board, self._left, self._best = (own, other), list(squares(moves(own, other))), (-np.inf, -1)

    @property
    def _sides(self) -> tuple[int, int]:
        return _DISCS[self.place], _DISCS[1 - self.place]

    def _weigh(self, square: int) -> None:
        own, other = self._board
        turned = flipped(own, other, square)
        found = -value(other & ~turned, own | square | turned, self._depth) + float(self.rng.random())
        found += self.misjudged(20)
        self._best = max(self._best, (found, square.bit_length() - 1))

    def _walk(self, cursor: int, goal: int) -> str:
        row, column = divmod(cursor, 8)
        goal_row, goal_column = divmod(goal, 8)
        if row != goal_row:
            return "up" if goal_row > row else "down"
        if column != goal_column:
            return "left" if (goal_column - column) % 8 < 5 else "right"
        return "fire" if self._tick % 16 < 8 else "nothing"
