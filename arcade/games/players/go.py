"""A player of Go: it looks at every move's captures, escapes, shape and influence, and reads out ladders.

A board of 19 by 19 has too many moves for a short search, so that a move is worth what the first programs counted
(Reitman, Wilcox 1979, The Structure and Performance of the Interim.2 Go Program): stones that it takes or saves, those
that it puts into atari, ground that it makes, with a price for own eyes that it fills.  A level sees less far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.engines.komi import komi_of
from arcade.games.players.mistakes import BEGINNER, level_now

OWN, OTHER, EMPTY = 1, -1, 0
_READ = {BEGINNER: 0, "easy": 0, "normal": 1, "hard": 12, "expert": 60}
"""Moves of a chase that a level reads out, the own one first."""
_NOISE = {BEGINNER: 12.0, "easy": 6.0, "normal": 3.0, "hard": 1.5, "expert": 0.3}
"""Standard deviation of how a level misjudges a move, in stones."""

_FILLER = 0.05
"""The worth of a move that costs nothing; it lasts until dead stones are taken, which the count leaves on the board."""

Stones = frozenset[int]


@dataclass(slots=True)
class Board:
    """Stones as seen by the side to move, with a border around."""

    size: int
    points: list[int]  # (size + 2) ** 2: own 1, other -1, empty 0, border 9

    @property
    def steps(self) -> tuple[int, int, int, int]:
        width = self.size + 2
        return (-width, -1, 1, width)

    def chain(self, point: int) -> tuple[Stones, Stones]:
        """The stones connected with one, and their liberties."""
        colour, found, free, waiting = self.points[point], {point}, set[int](), [point]
        while waiting:
            at = waiting.pop()
            for step in self.steps:
                near = at + step
                if self.points[near] == EMPTY:
                    free.add(near)
                elif self.points[near] == colour and near not in found:
                    found.add(near)
                    waiting.append(near)
        return frozenset(found), frozenset(free)

    def played(self, point: int, colour: int) -> tuple[Board, int] | None:
        """The board after a move and the stones that it takes; None for suicide."""
        board = Board(self.size, list(self.points))
        board.points[point] = colour
        taken = 0
        for step in self.steps:
            if board.points[point + step] == -colour:
                stones, free = board.chain(point + step)
                if not free:
                    taken += len(stones)
                    for stone in stones:
                        board.points[stone] = EMPTY
        return (board, taken) if taken or board.chain(point)[1] else None


def play(
    observation: NDArray[Any], action_mask: Any, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0
) -> int:
    """Return the point to play, 0 at the top left, or the pass, for an observation (size, size, 17)."""
    level = level_now(level, mistakes, rng)
    board = board_of(observation)
    size = board.size
    legal = np.flatnonzero(action_mask)
    worth = {int(action): worth_of(board, int(action), level) for action in legal if action < size**2}
    least = _FILLER if is_passed(observation) and is_ahead(board, observation) else 0.0  # agree that it is over
    seen = {action: value + float(rng.normal(0, _NOISE[level])) for action, value in worth.items() if value > least}
    passes = size**2
    if not seen and not is_ahead(board, observation):  # a stone thrown in costs nothing now
        rest = [action for action in worth if not _is_eye(board, point_at(action, size))]
        if rest:
            return int(rng.choice(rest))
    if not seen:
        return passes if action_mask[passes] else int(rng.choice(legal))
    return max(seen, key=seen.__getitem__)


def worth_of(board: Board, action: int, level: str) -> float:
    """What a move is worth, in stones; 0 for one that is worse than a pass."""
    point = point_at(action, board.size)
    after = board.played(point, OWN)
    if after is None or _is_eye(board, point):
        return 0.0
    new, taken = after
    own, free = new.chain(point)
    worth = 2.5 * taken + _ground(board, point)
    near = [point + step for step in board.steps]
    threatened = {board.chain(at) for at in near if board.points[at] == OWN}
    for stones, liberties in threatened:
        if len(liberties) == 1 and len(free) > 1 and _escapes(new, point, level):
            worth += 2.0 * len(stones) + 1
    if len(free) == 1 and taken < 2:
        worth -= 2.0 * len(own)
    elif len(free) == 2 and level in ("hard", "expert") and not _escapes(new, point, level):
        worth -= 1.5 * len(own)
    for stones, liberties in {new.chain(at) for at in near if new.points[at] == OTHER}:
        if len(liberties) == 1 and len(free) > 1:
            worth += 1.0 + 1.2 * len(stones) * _catches(new, next(iter(stones)), level)
        elif len(liberties) == 2:
            worth += 0.7
    loses = not taken and len(free) == 1
    return max(worth, 0.0 if loses else _FILLER)


def _ground(board: Board, point: int) -> float:
    """The worth of the place: open ground on the third and fourth lines, near other stones where there are some."""
    row, column = divmod(point, board.size + 2)
    line = min(row, column, board.size + 1 - row, board.size + 1 - column)
    worth = {1: -0.5, 2: 0.6, 3: 2.2, 4: 2.0}.get(line, 1.2 if board.size > 9 else 2.0)
    counts = {OWN: 0, OTHER: 0}
    for dy in range(-3, 4):
        for dx in range(-3, 4):
            y, x = row + dy, column + dx
            if 1 <= y <= board.size and 1 <= x <= board.size:
                colour = board.points[y * (board.size + 2) + x]
                if colour:
                    counts[colour] += 1
    if not counts[OWN] and not counts[OTHER]:
        return worth + 1.5
    balance = counts[OWN] - counts[OTHER]
    if balance > 6 or balance < -8:
        return worth - 2.0  # settled
    contact = sum(board.points[point + step] in (OWN, OTHER) for step in board.steps)
    return worth + 0.4 * min(counts.values()) - 0.3 * contact


def _is_eye(board: Board, point: int) -> bool:
    """Whether own stones are all around it and on most corners."""
    if any(board.points[point + step] in (EMPTY, OTHER) for step in board.steps):
        return False
    up, left, right, down = board.steps
    corners = [board.points[point + one + other] for one in (up, down) for other in (left, right)]
    return corners.count(OTHER) <= (0 if 9 in corners else 1)


def _escapes(board: Board, point: int, level: str) -> bool:
    """Whether the own chain there cannot be chased to its end, as far as the level reads; the other side moves."""
    return not _catches(Board(board.size, [-one if one in (1, -1) else one for one in board.points]), point, level, 1)


def _catches(board: Board, point: int, level: str, turn: int = 0) -> bool:
    """Whether the chain of the other side there is caught in a ladder; `turn`: 1 where the own side moves first."""
    return _chased(board, point, _READ[level], turn == 1)


def _chased(board: Board, point: int, depth: int, own_move: bool) -> bool:
    """Whether a ladder catches the chain of the other side that the point belongs to."""
    _, free = board.chain(point)
    if own_move:
        if len(free) == 1:
            return True
        if len(free) > 2 or depth <= 0:
            return False
        for liberty in free:
            after = board.played(liberty, OWN)
            if after and after[0].points[point] and _chased(after[0], point, depth - 1, False):
                return True
        return False
    if len(free) != 1:
        return False
    if depth <= 0:
        return True
    after = board.played(next(iter(free)), OTHER)
    if after is None:
        return True
    return not after[1] and _chased(after[0], point, depth - 1, True)


def empty_board(size: int) -> Board:
    """A board without stones."""
    edge = [9] * (size + 2)
    return Board(size, [*edge, *([9, *[EMPTY] * size, 9] * size), *edge])


def board_of(observation: NDArray[Any]) -> Board:
    """The board now: PettingZoo's planes are those of the side that moved last, 0 the other's stones and 1 the own."""
    stones = observation[:, :, 1].astype(int) - observation[:, :, 0].astype(int)
    points = np.full((len(stones) + 2, len(stones) + 2), 9)
    points[1:-1, 1:-1] = stones
    return Board(len(stones), points.ravel().tolist())


def is_passed(observation: NDArray[Any]) -> bool:
    """Whether the other side passed: its stones, plane 0, are those before its move, plane 3, and there are some."""
    return bool(observation[:, :, 0].any() and (observation[:, :, 0] == observation[:, :, 3]).all())


def is_ahead(board: Board, observation: NDArray[Any]) -> bool:
    """Whether the own side wins as the board is: its stones and the ground that they alone surround, and komi."""
    points = list(board.points)
    komi = komi_of(board.size)
    lead = komi if observation[0, 0, 16] else -komi  # plane 16: white is to move
    for point, colour in enumerate(points):
        if colour in (OWN, OTHER):
            lead += colour
        elif colour == EMPTY:
            stones, borders = _region(points, point, board.steps)
            for stone in stones:
                points[stone] = 9
            lead += sum(borders) * len(stones) if len(borders) == 1 else 0
    return lead > 0


def _region(points: list[int], start: int, steps: tuple[int, ...]) -> tuple[set[int], set[int]]:
    """The connected empty points, and the colours around them."""
    found, borders, waiting = {start}, set[int](), [start]
    while waiting:
        at = waiting.pop()
        for near in (at + step for step in steps):
            if points[near] in (OWN, OTHER):
                borders.add(points[near])
            elif points[near] == EMPTY and near not in found:
                found.add(near)
                waiting.append(near)
    return found, borders


def point_at(action: int, size: int) -> int:
    """The place of an action's point on a board with its border."""
    row, column = divmod(action, size)
    return (row + 1) * (size + 2) + column + 1
