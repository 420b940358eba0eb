"""A player of Pursuit: hunters close in on the nearest evader, each on a side of its own, and stay there.

An evader is caught when each open neighbouring square has a hunter.  Hunters who see the same evader share out its
sides by distance, all by the same rule, so that they need not talk; a hunter who sees none searches the map.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec
from agents.seats.limits import Limits
from arcade.games.players.reactions import Reactions

Square = tuple[int, int]

LEFT, RIGHT, UP, DOWN, STAY = range(5)
_WAYS: tuple[tuple[int, Square], ...] = ((LEFT, (-1, 0)), (RIGHT, (1, 0)), (UP, (0, 1)), (DOWN, (0, -1)))
_MIDDLE: Square = (3, 3)  # of the 7 x 7 squares that a hunter sees, the first axis to the right, the second upwards
_SIZE = 7
_PATIENCE = {"easy": 4, "normal": 6, "hard": 5, "expert": 2}
"""Ticks beside an evader with a side still open, after which a level looks for another."""
_HELPS = 4  # steps from an evader to a hunter who comes to help
_SHARES = ("hard", "expert")  # levels that leave a side to a hunter that is nearer
_ASTRAY = {"easy": 0.5, "normal": 0.25, "hard": 0.1, "expert": 0.1}
"""The share of steps of a search that a level walks at random instead of straight on."""
_LIMITS = {"normal": Limits(noise=0.05), "hard": Limits(noise=0.04), "expert": Limits(noise=0.1)}
"""In place of a level's usual ones: a tick lasts as long as people take to react.  Hunters who all move by one rule get
into each other's way, unless they take a step at random now and then."""


class Player:
    """Plays one hunter; called with what it sees, (rows, columns, 3): walls, hunters, evaders; itself in the middle."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        self._rng, self._shares = rng, level in _SHARES
        self._patience, self._astray = _PATIENCE[level], _ASTRAY[level]
        self._heading = int(rng.integers(4))
        self._waited = self._bored = 0

        def slip() -> int:
            return int(rng.integers(5))

        self._react = Reactions(seat, rng, level, idle=STAY, slip=slip, limits=_LIMITS.get(level))

    def __call__(self, observation: Any, action_mask: Any) -> int:
        seen = np.swapaxes(np.asarray(observation), 0, 1)
        walls = seen[..., 0] > 0
        others, evaders = _squares(seen[..., 1]), _squares(seen[..., 2])
        return self._react(self._decide(walls, others, evaders))

    def _decide(self, walls: NDArray[np.bool_], others: list[Square], evaders: list[Square]) -> int:
        self._bored = max(0, self._bored - 1)
        if evaders and not self._bored:
            steps = _steps(walls, _MIDDLE)
            for evader in sorted(evaders, key=lambda one: (self._lacking(walls, others, one), steps.get(one, 99), one)):
                move = self._approach(walls, others, evader)
                if move is not None:
                    return move
        self._waited = 0
        return self._search(walls)

    def _approach(self, walls: NDArray[np.bool_], others: list[Square], evader: Square) -> int | None:
        """The step to a side of the evader that is left for this hunter; None where there is none."""
        sides = [side for side in _around(evader) if _is_open(walls, side)]
        if _MIDDLE in sides:
            self._waited += 1
            if self._waited > self._patience * (1 if self._lacking(walls, others, evader) else 4):
                self._waited, self._bored = 0, self._patience
                return None
            return STAY
        steps = _steps(walls, _MIDDLE)
        free = [side for side in sides if side not in others and side in steps]
        if self._shares:
            free = self._left_over(free, [other for other in others if other not in sides], steps) or free
        if not free:
            return None
        return _first_step(walls, min(free, key=lambda side: (steps[side], side)))

    def _lacking(self, walls: NDArray[np.bool_], others: list[Square], evader: Square) -> int:
        """How many hunters are missing for all open sides of the evader; 0 where a level does not count them."""
        if not self._shares:
            return 0
        sides = sum(_is_open(walls, side) for side in _around(evader))
        return max(0, sides - 1 - sum(_far(other, evader) <= _HELPS for other in others))

    def _left_over(self, free: list[Square], others: Iterable[Square], steps: dict[Square, int]) -> list[Square]:
        """The sides that remain when all who are nearer have taken theirs."""
        left = list(free)
        for other in sorted(others, key=lambda one: min((_far(one, side) for side in left), default=99)):
            if not left:
                break
            side = min(left, key=lambda one: (_far(other, one), one))
            if _far(other, side) < min(steps[one] for one in left):
                left.remove(side)
        return left

    def _search(self, walls: NDArray[np.bool_]) -> int:
        """Straight on, and round at a wall."""
        if self._rng.random() < self._astray:
            return int(self._rng.integers(5))
        if not _is_open(walls, _after(self._heading)) or self._rng.random() < 0.05:
            ways = [way for way, _ in _WAYS if _is_open(walls, _after(way))]
            if not ways:
                return STAY
            self._heading = int(self._rng.choice(ways))
        return self._heading


def _squares(plane: NDArray[Any]) -> list[Square]:
    return [(int(x), int(y)) for x, y in np.argwhere(plane > 0) if (int(x), int(y)) != _MIDDLE or plane[x, y] > 1]


def _around(square: Square) -> list[Square]:
    return [(square[0] + dx, square[1] + dy) for _, (dx, dy) in _WAYS]


def _after(way: int) -> Square:
    step = dict(_WAYS)[way]
    return _MIDDLE[0] + step[0], _MIDDLE[1] + step[1]


def _is_open(walls: NDArray[np.bool_], square: Square) -> bool:
    return 0 <= square[0] < _SIZE and 0 <= square[1] < _SIZE and not walls[square]


def _far(one: Square, other: Square) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _steps(walls: NDArray[np.bool_], start: Square) -> dict[Square, int]:
    """Steps from a square to all that are in sight."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        at = waiting.popleft()
        for square in _around(at):
            if square not in found and _is_open(walls, square):
                found[square] = found[at] + 1
                waiting.append(square)
    return found


def _first_step(walls: NDArray[np.bool_], goal: Square) -> int:
    back = _steps(walls, goal)
    return min((way for way, _ in _WAYS), key=lambda way: back.get(_after(way), 99))
