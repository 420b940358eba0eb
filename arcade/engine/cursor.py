"""Cursor: choosing one of a turn-based game's legal actions with four directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.controller import Action, ActionMask

Place = tuple[int, int]  # column, row


@dataclass(frozen=True, slots=True)
class Option:
    """One legal action."""

    action: Action
    words: str  # what the HUD calls it
    place: Place  # where it lies for the directions


# Boards whose actions are squares: index → (column, row) as the game draws them.
_BOARDS: Mapping[str, Callable[[int], Place]] = {
    "classic/tictactoe_v3": lambda index: (index // 3, index % 3),  # column by column
    "classic/go_v5": lambda index: (index % 19, index // 19),  # row by row; pass lies below the board
}
_STEPS: Mapping[str, Place] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Cursor:
    """The legal actions of one turn and the one that is pointed at.

    On a board the directions go to the nearest legal square that way; elsewhere all actions stand in one row:
    right and down go on, left and up go back, round the end.
    """

    def __init__(self, game: str, names: tuple[str, ...] = ()) -> None:
        self._board = _BOARDS.get(game)
        self._names = names
        self._count, self._start = 0, 0
        self.options: tuple[Option, ...] = ()
        self.index = 0

    def reset(self, space: Any) -> None:
        """A new episode with this Discrete space."""
        self._count, self._start = int(space.n), int(getattr(space, "start", 0))
        self.options, self.index = (), 0

    def show(self, mask: ActionMask | None) -> None:
        """A turn is due: offer what `mask` allows, the cursor where it was or the nearest to it."""
        before = self.options[self.index].action if self.options else None
        legal = range(self._count) if mask is None else [int(i) for i in np.flatnonzero(mask)]
        self.options = tuple(self._option(index) for index in legal)
        near = [abs(option.action - before) for option in self.options] if before is not None else [0]
        self.index = int(np.argmin(near)) if near else 0

    def point(self, index: int) -> None:
        """Point at ``options[index]``; raises IndexError beyond them."""
        if not 0 <= index < len(self.options):
            raise IndexError(f"expected 0 <= index < {len(self.options)}, got: {index}")
        self.index = index

    def move(self, control: str) -> None:
        """Go one step in a direction; other controls do nothing."""
        step = _STEPS.get(control)
        if step is None or not self.options:
            return
        if self._board is None:
            self.index = (self.index + step[0] + step[1]) % len(self.options)
        else:
            self.index = self._towards(step)

    def _towards(self, step: Place) -> int:
        here = self.options[self.index].place
        best, best_cost = self.index, float("inf")
        for index, option in enumerate(self.options):
            x, y = option.place[0] - here[0], option.place[1] - here[1]
            along, across = x * step[0] + y * step[1], abs(x * step[1]) + abs(y * step[0])
            if along > 0 and along + 2 * across < best_cost:
                best, best_cost = index, along + 2 * across
        return best

    def _option(self, index: int) -> Option:
        words = self._names[index] if index < len(self._names) else f"action {index}"
        return Option(self._start + index, words, self._board(index) if self._board else (index, 0))
