"""Repeats: finds matches that are the same match again, so that each counts once.

Players without chance repeat their moves for ever: a hundred such matches say no more than one.  Two rules find them:

- A match with the same players in the same seats, the same start, seed and actions as another one.
- Matches with the same players, seats and start that all had the same actions, whatever their seeds.  As soon as one
  differs the players have chance, and all of them count: leaving out the frequent ones would change the win rate.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from agents.ladder.ratings.rows import Row, counts

T = TypeVar("T")


@dataclass(slots=True)
class _Meeting(Generic[T]):
    """The matches so far of some players in their seats, from one start."""

    digest: str  # of the first match
    seen: set[tuple[str, str]] = field(default_factory=set)  # seeds and digests
    withheld: list[T] = field(default_factory=list)  # repeats of the first match with other seeds
    varies: bool = False  # a match had other actions


class Repeats(Generic[T]):
    """Matches that count, one by one in the order they were played.

    `before` returns the seeds, digests and values of earlier matches of a meeting, which have been counted.

    >>> repeats = Repeats[int]()
    >>> [repeats.add("a b", str(seed), digest, seed) for seed, digest in enumerate(["x", "x", "y", "x"])]
    [[0], [], [1, 2], [3]]
    """

    def __init__(self, before: Callable[[Hashable], Iterable[tuple[str, str, T]]] = lambda meeting: ()) -> None:
        self._before = before
        self._meetings: dict[Hashable, _Meeting[T]] = {}

    def add(self, meeting: Hashable, seed: str, digest: str, value: T) -> list[T]:
        """Return the values that count now: this one, none, or with it those that were withheld.

        A match without a `digest` always counts.
        """
        if not digest:
            return [value]
        if meeting not in self._meetings:
            for earlier in self._before(meeting):
                self._take(meeting, *earlier)
        return self._take(meeting, seed, digest, value)

    def _take(self, meeting: Hashable, seed: str, digest: str, value: T) -> list[T]:
        known = self._meetings.setdefault(meeting, _Meeting(digest))
        is_first = not known.seen
        if (seed, digest) in known.seen:
            return []
        known.seen.add((seed, digest))
        if is_first or known.varies:
            return [value]
        if digest == known.digest:
            known.withheld.append(value)
            return []
        known.varies, found = True, [*known.withheld, value]
        known.withheld.clear()
        return found


def meeting_of(row: Row) -> tuple[str, ...]:
    """Return the players of a match by seat, and its start: equal for matches that may repeat each other."""
    seats = (part for agent, label in row["lineup"].items() for part in (str(agent), label))
    return (str(row["settings"].get("opening", "")), *seats)


def without_repeats(rows: Iterable[Row]) -> list[Row]:
    """Return the rows, oldest first, without those that repeat another one; a row that does not count is kept."""
    repeats, kept = Repeats[tuple[int, Row]](), list[tuple[int, Row]]()
    for one in enumerate(rows):
        row = one[1]
        digest = row.get("actions", "") if counts(row) else ""
        kept += repeats.add(meeting_of(row), row.get("seed", ""), digest, one)
    return [row for _, row in sorted(kept, key=lambda one: one[0])]
