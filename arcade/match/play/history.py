"""History: how a match stood now and then in its last seconds, so that it can be taken back there."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from arcade.match.play.tally import Tally
from arcade.match.stage.digest import tick_digest
from arcade.match.stage.tick import Tick


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match when tick `index` had been counted and nobody asked."""

    index: int
    digest: int  # of the tick: whether a game played again came to the same
    tally: Tally


class History:
    """The newest `most` standings, one every `every` ticks; the reset's is always kept.

    >>> history = History(every=60, most=12)
    >>> history.is_due(0), history.is_due(59), history.is_due(60)
    (True, False, True)
    """

    def __init__(self, *, every: int, most: int) -> None:
        self._every = every
        self._first: MatchState | None = None
        self._kept: deque[MatchState] = deque(maxlen=most)

    def is_due(self, index: int) -> bool:
        """Whether the standing of that tick is to be kept."""
        return index % self._every == 0

    def keep(self, standing: MatchState) -> None:
        """Remember it; nothing in it may change any more."""
        if self._first is None:
            self._first = standing
        self._kept.append(standing)

    def before(self, index: int) -> MatchState | None:
        """The newest standing at tick `index` or earlier; the oldest where all are later; None before the reset."""
        fitting = [standing for standing in self._kept if standing.index <= index]
        if fitting:
            return fitting[-1]
        return self._kept[0] if self._kept and index > 0 else self._first

    def forget_after(self, index: int) -> None:
        """Drop what has not been after all."""
        while self._kept and self._kept[-1].index > index:
            self._kept.pop()


def same(standing: MatchState, tick: Tick) -> bool:
    """Whether `tick` is the one that the standing was taken of."""
    return standing.index == tick.index and standing.digest == tick_digest(tick)
