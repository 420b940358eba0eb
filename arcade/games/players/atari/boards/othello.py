"""A player of Othello: reads the board, searches some half-moves ahead, and walks the cursor to the square.

Boards are two numbers of 64 bits, a square to the bit of its address.  Positions are judged by the squares held,
corners above all, and by the moves left to each side (Rosenbloom 1982, A World-Championship-Level Othello Program).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from arcade.games.players.atari.boards.thinking import Thought, Value
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
_CORNERS, _DIAGONAL = 0x8100000000000081, 0x0042000000004200
_EDGES = 0x3C0081818181003C
_WIN = 10_000
_DEPTHS = ((0.9, 0), (0.5, 1), (0.2, 3))  # half-moves behind the own one, by the least error of the skill
_ASTRAY = 30  # how far a beginner misjudges a move
_POSITIONS, _TICKS = 60, 150  # searched in a tick, about 3 ms in Python, and ticks that a move takes at most


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


def _ordered(board: int) -> Iterator[int]:
    """The same, corners first and the squares diagonal to them last, so that a search cuts more."""
    for part in (board & _CORNERS, board & ~(_CORNERS | _DIAGONAL), board & _DIAGONAL):
        yield from squares(part)


def _judged(own: int, other: int) -> float:
    free = ~(own | other) & _CORNERS
    beside = 0  # squares that offer a free corner
    for by, mask in _STEPS if free else ():
        beside |= _shift(free, by, mask)

    def held(side: int) -> int:
        return (
            60 * (side & _CORNERS).bit_count() + 4 * (side & _EDGES).bit_count()
            - 12 * (side & beside & ~_DIAGONAL).bit_count() - 25 * (side & beside & _DIAGONAL).bit_count()
        )  # fmt: skip

    mobile = moves(own, other).bit_count() - moves(other, own).bit_count()
    return held(own) - held(other) + 6 * mobile


def value(own: int, other: int, depth: int, low: float = -2 * _WIN, high: float = 2 * _WIN) -> Value:
    """Search so many half-moves by alpha-beta for the value for the side to move."""
    yield
    legal = moves(own, other)
    if not legal:
        if not moves(other, own):
            lead = own.bit_count() - other.bit_count()
            return lead + (_WIN if lead > 0 else -_WIN if lead < 0 else 0)
        return -(yield from value(other, own, depth, -high, -low))
    if depth <= 0:
        return _judged(own, other)
    for square in _ordered(legal):
        low = max(low, -(yield from _after(own, other, square, depth - 1, -high, -low)))
        if low >= high:
            break
    return low


def _after(own: int, other: int, square: int, depth: int, low: float, high: float) -> Value:
    """The value for the opponent after a disc of the side to move."""
    turned = flipped(own, other, square)
    return value(other & ~turned, own | square | turned, depth, low, high)


class OthelloPlay(Play):
    """Thinks a few positions a tick, then puts its disc."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._depth = next((depth for least, depth in _DEPTHS if skill.error > least), 64)
        self._board = (0, 0)
        self._thought: Thought[int] | None = None
        self._tick = 0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if now[_TURN] != _DISCS[self.place]:
            self._thought = None
            return "nothing"
        board = own, other = self._side(now, self.place), self._side(now, 1 - self.place)
        if self._thought is None or board != self._board:
            self._board, self._thought = board, self._begin(own, other)
        if self._thought.goes_on(_POSITIONS) or not self._thought.ranked:
            return "nothing"
        return self._walk(now[_CURSOR], self._thought.ranked[0].bit_length() - 1)

    @staticmethod
    def _side(now: Memory, place: int) -> int:
        return sum(1 << square for square in range(64) if now[square] == _DISCS[place])

    def _begin(self, own: int, other: int) -> Thought[int]:
        """Begin to think; where the board fills up, to the end of the game."""
        errors = {square: float(self.rng.random()) + self.misjudged(_ASTRAY) for square in _ordered(moves(own, other))}
        ahead = min(self._depth, 63 - (own | other).bit_count())
        return Thought(errors, partial(_after, own, other), depth=ahead, ticks=_TICKS, win=2 * _WIN)

    def _walk(self, cursor: int, goal: int) -> str:
        row, column = divmod(cursor, 8)
        goal_row, goal_column = divmod(goal, 8)
        if row != goal_row:
            return "up" if goal_row > row else "down"
        if column != goal_column:
            return "left" if (goal_column - column) % 8 < 5 else "right"
        return "fire" if self._tick % 16 < 8 else "nothing"
