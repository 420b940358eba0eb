"""Conversion of PettingZoo's go to GTP: observation planes to moves, vertices to actions.

Planes and actions: https://pettingzoo.farama.org/environments/classic/go/ and its ``go.py``.  A position is int8 (size,
size), row 0 on top: 1 where a black stone is, -1 where a white one is.  Of vertices see GTP 2, draft 2, section 2.11:
https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # without I
PLANES = 17
"""Two for each of the last eight positions, newest first: stones of the side that moved, of the other; colour."""

Position = NDArray[np.int8]
Move = tuple[str, str]
"""``black`` or ``white``, and a vertex or ``pass``."""


@dataclass(frozen=True, slots=True)
class GoView:
    """The contents of an observation."""

    colour: str  # of the side to move: black or white
    positions: tuple[Position, ...]  # after each of the last eight moves, the newest last; empty boards before those

    @property
    def moves(self) -> list[Move]:
        """The seven moves between the positions; those before the first of a short game look like passes."""
        colours = cycle((other(self.colour), self.colour))  # from the newest move backwards
        steps = zip(colours, pairwise(reversed(self.positions)), strict=False)
        return [(colour, _vertex(before, after, colour)) for colour, (after, before) in steps][::-1]


def other(colour: str) -> str:
    return "white" if colour == "black" else "black"


def read_view(observation: NDArray[Any]) -> GoView:
    """Read an observation, bool (size, size, 17)."""
    colour = "white" if observation[0, 0, PLANES - 1] else "black"
    positions = []
    for at in range(0, PLANES - 1, 2):
        mover = other(colour) if at % 4 == 0 else colour
        own, theirs = (observation[:, :, at + i].astype(np.int8) for i in (0, 1))
        positions.append(own - theirs if mover == "black" else theirs - own)
    return GoView(colour, tuple(reversed(positions)))


def stones(position: Position) -> list[Move]:
    """Return moves that set up the position on an empty board; in any order they capture nothing."""
    size, stones = len(position), position.ravel()
    return [("black" if stones[at] > 0 else "white", vertex(at, size)) for at in np.flatnonzero(stones).tolist()]


def _vertex(before: Position, after: Position, colour: str) -> str:
    new = np.flatnonzero((after == (1 if colour == "black" else -1)) & (before == 0))
    return vertex(int(new[0]), len(after)) if len(new) == 1 else "pass"


def vertex(action: int, size: int) -> str:
    """Return the vertex of an action, ``pass`` for the last one."""
    row, column = divmod(action, size)
    return "pass" if row == size else f"{COLUMNS[column]}{size - row}"


def action_at(word: str, size: int) -> int:
    """Return the action of a vertex; raises ValueError for any other word."""
    letter, number = word[:1].upper(), word[1:]
    if word.lower() == "pass":
        return size * size
    if letter and letter in COLUMNS[:size] and number.isdecimal() and 1 <= int(number) <= size:
        return (size - int(number)) * size + COLUMNS.index(letter)
    raise ValueError(f"expected a vertex from A1 to {COLUMNS[size - 1]}{size} or pass, got: {word[:40]!r}")
