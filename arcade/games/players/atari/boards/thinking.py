"""Thought: the search for a move of a board game, a few positions at every tick."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Generic, TypeVar

MoveT = TypeVar("MoveT")

Value = Generator[None, None, float]
"""A search in steps: it yields once a position, and returns the value for the side to move."""

Search = Callable[[MoveT, int, float, float], Value]
"""(own move, half-moves behind it, low, high) -> the value of the position after it, for the opponent."""


class Thought(Generic[MoveT]):
    """Searches one half-move deeper after another, until a depth or a time is reached or a move wins for sure."""

    def __init__(
        self, errors: Mapping[MoveT, float], search: Search[MoveT], *, depth: int, ticks: int, win: float
    ) -> None:
        """`errors`: each legal move, with the error by which it is misjudged; `win`: the least value of a sure win."""
        self.ranked = list(errors)  # the best first
        self._left = ticks if len(errors) > 1 else 0
        self._steps = self._deepen(errors, search, depth, win)

    def goes_on(self, positions: int) -> bool:
        """Search so many positions more; False once the move is chosen."""
        if self._left:
            self._left -= 1
            for _ in range(positions):
                if next(self._steps, self) is self:
                    self._left = 0
                    break
        return self._left > 0

    def _deepen(
        self, errors: Mapping[MoveT, float], search: Search[MoveT], depth: int, win: float
    ) -> Generator[None, None, None]:
        for ahead in range(depth + 1):
            scores, best = dict[MoveT, float](), -float("inf")
            for move in self.ranked:
                value = yield from search(move, ahead, -float("inf"), errors[move] - best)
                scores[move] = errors[move] - value
                best = max(best, scores[move])
            self.ranked.sort(key=scores.__getitem__, reverse=True)  # stable: those below the best have upper bounds
            if best >= win:
                return
