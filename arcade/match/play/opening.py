"""Opening: the position and the moves that a match of a board game begins with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opening:
    """The actions of the first ticks, one a tick, by the seats in turn.

    >>> Opening((3, 3, 2)).text
    '3 3 2'
    """

    actions: tuple[int, ...]
    start: str = ""  # the position before them, as GameSpec.set_start reads it; "": the game's own

    @property
    def text(self) -> str:
        """The position and the actions as text, equal for equal openings."""
        moves = " ".join(map(str, self.actions))
        return f"{self.start} moves {moves}" if self.start and moves else self.start or moves
