"""History: states of a match in its last seconds, to which it can be rewound."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from arcade.match.play.seat_log import SeatTotals
from arcade.match.stage.digest import tick_digest
from arcade.match.stage.tick import Tick


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match when tick `index` had been counted and no seat asked."""

    index: int
    digest: int  # of the tick: tells whether a replayed game reached the same state
    totals: SeatTotals

    def is_of(self, tick: Tick) -> bool:
        """Whether `tick` is the one at which the state was kept."""
        return self.index == tick.index and self.digest == tick_digest(tick)


class History:
    """The newest `most` states, one every `every` ticks; the state at the reset is always kept.

    >>> history = History(every=60, most=12)
    >>> history.is_due(0), history.is_due(59), history.is_due(60)
    (True, False, True)
    """

    def __init__(self, *, every: int, most: int) -> None:
        self._every = every
        self._first: MatchState | None = None
        self._kept: deque[MatchState] = deque(maxlen=most)

    def is_due(self, index: int) -> bool:
        """Whether the state at that tick is to be kept."""
        return index % self._every == 0

    def keep(self, state: MatchState) -> None:
        """Remember `state`, in which nothing may change any more."""
        if self._first is None:
            self._first = state
        self._kept.append(state)

    def before(self, index: int) -> MatchState | None:
        """The newest state at tick `index` or earlier; the oldest where all are later; None before the reset."""
        fitting = [state for state in self._kept if state.index <= index]
        if fitting:
            return fitting[-1]
        return self._kept[0] if self._kept and index > 0 else self._first

    def forget_after(self, index: int) -> None:
        """Drop the states after that tick."""
        while self._kept and self._kept[-1].index > index:
            self._kept.pop()
