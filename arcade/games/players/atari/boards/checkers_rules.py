"""English draughts on the console's board of 35 squares, and a search of it.

A dark square is a bit, as many as its address; 8, 17 and 26 stand for no square, so that a step ahead is 4 or 5 in
every row (Samuel 1959, Some Studies in Machine Learning Using the Game of Checkers).  Positions are judged by the
features of Martin Fierz's Simple Checkers (http://www.fierz.ch/engines.php), and with kings by how near they are to
the other's pieces, so that a side that is ahead hunts them down.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arcade.games.players.atari.boards.thinking import Value

SQUARES = 35
GAPS = (8, 17, 26)
WIN = 10_000
_BOARD = (1 << SQUARES) - 1 - sum(1 << gap for gap in GAPS)
_LAST = 0xF, 0xF << 31  # rows where men are crowned, by whether they play upwards
_BACK = 1 << 31 | 1 << 33, 1 << 1 | 1 << 3  # squares from where two men guard their first row
_CENTRE = sum(1 << square for square in (10, 11, 14, 15, 19, 20, 23, 24))
_ROWS = tuple(0xF << first for first in (0, 4, 9, 13, 18, 22, 27, 31))
_MAN, _KING = 100, 130
_FEW = 8  # pieces on the board with which kings hunt


class Move(NamedTuple):
    """A step, or all jumps of a piece in one turn; squares are bits."""

    start: int
    landing: int  # of the first jump
    end: int
    taken: int = 0


class Board(NamedTuple):
    """The pieces of the side to move and of the other, and the kings of both."""

    own: int
    other: int
    kings: int
    is_up: bool  # whether the men of the side to move play to higher squares


def is_square(index: int) -> bool:
    """Whether there is such a square."""
    return 0 <= index < SQUARES and index not in GAPS


def _shift(squares: int, way: int) -> int:
    return (squares << way if way > 0 else squares >> -way) & _BOARD


def _ways(*, is_king: bool, is_up: bool) -> tuple[int, ...]:
    if is_king:
        return 4, 5, -4, -5
    return (4, 5) if is_up else (-4, -5)


def legal_moves(board: Board) -> list[Move]:
    """The moves of the side to move; only jumps where there is one."""
    own, other, kings, empty = board.own, board.other, board.own & board.kings, _BOARD & ~(board.own | board.other)
    jumps, steps = list[Move](), list[Move]()
    for way in (4, 5, -4, -5):
        movers = own if (way > 0) == board.is_up else kings
        for start in bits(_shift(_shift(_shift(movers, way) & other, way) & empty, -2 * way) if movers else 0):
            jumps += _jumps(board, start, start, way, 0)
    if jumps:
        return jumps
    for way in (4, 5, -4, -5):
        movers = own if (way > 0) == board.is_up else kings
        steps += [Move(_shift(to, -way), to, to) for to in bits(_shift(movers, way) & empty)]
    return steps


def _jumps(board: Board, start: int, at: int, way: int, taken: int) -> Iterator[Move]:
    """All jumps of a piece that has come to `at` and jumps that way, as far as they lead."""
    over = _shift(at, way)
    to, taken = _shift(over, way), taken | over
    free, other = _BOARD & ~(board.own ^ start | board.other & ~taken), board.other & ~taken
    further = [
        move
        for on in _ways(is_king=bool(start & board.kings), is_up=board.is_up)
        if _shift(_shift(to, on) & other, on) & free
        for move in _jumps(board, start, to, on, taken)
    ]
    ends = further or [Move(start, to, to, taken)]
    yield from (Move(start, to, move.end, move.taken) for move in ends)


def bits(squares: int) -> Iterator[int]:
    """Each square of a set, as a bit."""
    while squares:
        lowest = squares & -squares
        yield lowest
        squares ^= lowest


def after(board: Board, move: Move) -> Board:
    """The board after a move, for the other side to move."""
    kings = board.kings & ~(move.start | move.taken)
    if move.start & board.kings or move.end & _LAST[board.is_up]:
        kings |= move.end
    return Board(board.other & ~move.taken, board.own ^ move.start | move.end, kings, not board.is_up)


def value(board: Board, depth: int, low: float = -2 * WIN, high: float = 2 * WIN) -> Value:
    """Search so many half-moves by alpha-beta for the value for the side to move; jumps are followed to their end."""
    yield
    moves = legal_moves(board)
    if not moves:
        return -WIN - depth
    if (depth <= 0 and not moves[0].taken) or depth < -6:
        return judged(board)
    for move in moves:
        low = max(low, -(yield from value(after(board, move), depth - 1, -high, -low)))
        if low >= high:
            break
    return low


def judged(board: Board) -> float:
    """The value for the side to move without a search."""
    men, kings = _counts(board, board.own)
    other_men, other_kings = _counts(board, board.other)
    own, other = _MAN * men + _KING * kings, _MAN * other_men + _KING * other_kings
    worth = own - other + 250 * (own - other) / (own + other)  # exchanges help the side that is ahead
    worth += _placed(board, board.own, is_up=board.is_up) - _placed(board, board.other, is_up=not board.is_up) + 3
    if own != other and (board.own | board.other).bit_count() <= _FEW:
        worth += _nearness(board.own & board.kings, board.other) if own > other else 0
        worth -= _nearness(board.other & board.kings, board.own) if other > own else 0
    return worth


def _counts(board: Board, side: int) -> tuple[int, int]:
    kings = (side & board.kings).bit_count()
    return side.bit_count() - kings, kings


def _placed(board: Board, side: int, *, is_up: bool) -> float:
    """How well the pieces of a side stand."""
    men, kings = side & ~board.kings, side & board.kings
    rows = _ROWS if is_up else _ROWS[::-1]
    advanced = sum(row * (men & squares).bit_count() for row, squares in enumerate(rows))
    back = _BACK[is_up]
    guard = 12 if men & back == back and board.kings.bit_count() < _FEW // 2 else 0
    return 2 * advanced + 2 * (men & _CENTRE).bit_count() + 6 * (kings & _CENTRE).bit_count() + guard


def _nearness(kings: int, others: int) -> float:
    """How near kings are to the pieces of the other side."""
    total, reached = 0, kings
    for _ in range(5):
        for way in (4, 5):
            reached |= _shift(reached, way) | _shift(reached, -way)
        total += (reached & others).bit_count()
    return 4 * total / max(1, others.bit_count())
