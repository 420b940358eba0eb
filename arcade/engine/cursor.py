"""Cursor: choosing one of a turn-based game's legal actions with four directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.controller import Action, ActionMask, AgentID
from arcade.engine.chess_moves import chess_square, chess_words

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
_CHESS, _BLACK = "classic/chess_v6", "player_1"
_STEPS: Mapping[str, Place] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Cursor:
    """The legal actions of one turn and the one that is pointed at.

    On a board the directions go to the nearest legal square that way; in chess up and down choose the piece, left
    and right its move; elsewhere all actions stand in one row: right and down go on, left and up go back, round
    the end.
    """

    def __init__(self, game: str, names: tuple[str, ...] = (), *, seat: AgentID = "") -> None:
        self._game, self._names, self._seat = game, names, seat
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
        legal = list(range(self._count)) if mask is None else [int(i) for i in np.flatnonzero(mask)]
        places = self._places(legal)
        self.options = tuple(self._option(index, place) for index, place in zip(legal, places, strict=True))
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
        if self._game not in (*_BOARDS, _CHESS):
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

    def _places(self, legal: Sequence[int]) -> list[Place]:
        if self._game == _CHESS:
            return _by_piece(legal)
        board = _BOARDS.get(self._game)
        return [board(index) if board else (index, 0) for index in legal]

    def _option(self, index: int, place: Place) -> Option:
        if index < len(self._names):
            words = self._names[index]
        elif self._game == _CHESS:
            words = chess_words(index, black=self._seat == _BLACK)
        else:
            words = f"action {index}"
        return Option(self._start + index, words, place)


def _by_piece(legal: Sequence[int]) -> list[Place]:
    """A row for each piece that can move, its moves side by side."""
    places: list[Place] = []
    for place, index in enumerate(legal):
        same = place > 0 and chess_square(index) == chess_square(legal[place - 1])
        column, row = places[-1] if places else (-1, -1)
        places.append((column + 1, row) if same else (0, row + 1))
    return places
