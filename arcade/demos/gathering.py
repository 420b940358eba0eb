"""Gathering: what a seat observed, handed out to its decisions as it comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from arcade.demos.pieces import Piece
from arcade.demos.stacking import Stack
from arcade.match.replay_format import copied

Gathered = tuple[Piece, Any]
"""Decisions, and what was observed at each of them and behind the last: one more."""


class Gathering:
    """Hands out the observations of one seat to its pieces, one piece after the other."""

    def __init__(self, found: Iterable[Piece]) -> None:
        self._open = deque(found)
        self._values = self._stack()  # of the first open piece
        self._after: Any = None  # what was seen behind its last decision

    @property
    def is_open(self) -> bool:
        return bool(self._open)

    def see(self, tick: int, value: Any) -> Iterator[Gathered]:
        """Take what was observed at `tick`; yields what is complete by it."""
        while self._open:
            piece, seen = self._open[0], len(self._values)
            if seen == len(piece.decisions):
                until = piece.decisions[-1].until
                self._after = copied(value) if tick <= until else self._after
                if tick < until:
                    return
                yield self._whole()  # and the same value may be what the next piece begins with
            elif piece.decisions[seen].tick < tick:  # what was seen then is not in the file
                yield from self._cut(piece.since(tick))
            else:
                if piece.decisions[seen].tick == tick:
                    self._values.append(value)
                return

    def rest(self) -> Iterator[Gathered]:
        """What there is when nothing more comes."""
        if self._open and len(self._values) == len(self._open[0].decisions):
            yield self._whole()
        elif self._open:
            yield from self._cut(None)

    def _cut(self, rest: Piece | None) -> Iterator[Gathered]:
        """End the first piece at what was seen last, which came of the decision before it; go on with `rest`."""
        piece, values = self._open.popleft(), self._values
        if rest:
            self._open.appendleft(rest)
        self._values = self._stack()
        if len(values) > 1:
            yield piece.before(len(values) - 1), values.whole()

    def _whole(self) -> Gathered:
        piece, values = self._open.popleft(), self._values
        values.append(values.whole()[-1] if self._after is None else self._after)
        self._values, self._after = self._stack(), None
        return piece, values.whole()

    def _stack(self) -> Stack:
        return Stack(len(self._open[0].decisions) + 1 if self._open else 0)
