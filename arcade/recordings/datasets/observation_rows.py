"""ObservationRows: assigns the observations of a seat to its decisions as they arrive."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.recordings.datasets.segments import Segment

Gathered = tuple[Segment, Any]
"""Decisions, and their observations, with one more behind the last decision."""


class ObservationRows:
    """Assigns the observations of one seat to its segments, one after the other."""

    def __init__(self, found: Iterable[Segment]) -> None:
        self._open = deque(found)
        self._first = 0  # decision of the first open segment at which `_values` begin
        self._values = self._stack()
        self._after: Any = None  # the observation behind its last decision

    @property
    def is_open(self) -> bool:
        return bool(self._open)

    def see(self, tick: int, value: Any) -> Iterator[Gathered]:
        """Add the observation of `tick`; yields the segments that it completes."""
        while self._open:
            decisions, place = self._open[0].decisions, self._first + len(self._values)
            if place == len(decisions):
                until = decisions[-1].until
                self._after = deepcopy(value) if tick <= until else self._after
                if tick < until:
                    return
                yield self._whole()  # the next segment may begin with the same observation
            elif decisions[place].tick < tick:  # its observation is not in the file
                yield from self._cut(bisect_left(decisions, tick, place, key=lambda decision: decision.tick))
            else:
                if decisions[place].tick == tick:
                    self._values.append(value)
                return

    def rest(self) -> Iterator[Gathered]:
        """Yield the rest after the last observation."""
        if self._open:
            count = len(self._open[0].decisions)
            yield from [self._whole()] if self._first + len(self._values) == count else self._cut(count)

    def _cut(self, place: int) -> Iterator[Gathered]:
        """End at the last observation, and continue at `place` of the same segment."""
        piece, first, values = self._open[0], self._first, self._values
        self._continue_at(place)
        if len(values) > 1:
            yield piece.part(first, first + len(values) - 1), values.whole()

    def _whole(self) -> Gathered:
        piece, first, values = self._open[0], self._first, self._values
        values.append(values.whole()[-1] if self._after is None else self._after)
        self._after = None
        self._continue_at(len(piece.decisions))
        return piece.part(first, len(piece.decisions)), values.whole()

    def _continue_at(self, place: int) -> None:
        """Continue at the decision at `place`, or at the next segment."""
        self._first = place
        if place == len(self._open[0].decisions):
            self._open.popleft()
            self._first = 0
        self._values = self._stack()

    def _stack(self) -> Stack:
        return Stack(len(self._open[0].decisions) - self._first + 1 if self._open else 0)


MEMORY_BYTES = 64 * 2**20
"""A larger array is mapped to a temporary file, which the system can page out."""


class Stack:
    """Copies of at most `most` values, as one array where possible; a large one lies in a file."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._array: NDArray[Any] | None = None  # for values of one shape and dtype
        self._values: list[Any] = []  # otherwise
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, value: Any) -> None:
        if not self._count and not isinstance(value, dict | tuple | list):
            self._array = _room((self._most, *np.shape(value)), np.asarray(value).dtype)
        if self._array is not None and not self._holds(value):
            self._values, self._array = list(self._array[: self._count]), None
        if self._array is not None:
            self._array[self._count] = value
        else:
            self._values.append(deepcopy(value))
        self._count += 1

    def whole(self) -> Any:
        """(count, *shape), or a list of `count` values where no array holds them."""
        return self._values if self._array is None else self._array[: self._count]

    def _holds(self, value: Any) -> bool:
        assert self._array is not None
        return np.shape(value) == self._array.shape[1:] and np.asarray(value).dtype == self._array.dtype


def _room(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    if np.prod(shape, dtype=np.int64) * dtype.itemsize <= MEMORY_BYTES:
        return np.empty(shape, dtype)
    with tempfile.TemporaryFile(prefix="arcade-") as file:
        return np.memmap(file, dtype, "w+", shape=shape)
