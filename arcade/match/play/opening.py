"""Opening: the moves that a match of a board game begins with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opening:
    """The actions of the first ticks, one a tick, by the seats in turn.

    >>> Opening((3, 3, 2)).text
    '3 3 2'
    """

    actions: tuple[int, ...]

    @property
    def text(self) -> str:
        """The actions as text, equal for equal openings."""
        return " ".join(map(str, self.actions))
