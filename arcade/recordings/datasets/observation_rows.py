"""ObservationRows: assigns the observations of a seat to its decisions as they arrive."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import groupby
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
        self._begin()

    def _begin(self) -> None:
        self._places: list[int] = []  # of the decisions whose observations are in `_values`
        self._values = Stack(len(self._open[0].decisions) + 1 if self._open else 0)
        self._after: Any = None  # the newest observation behind the last decision

    @property
    def is_open(self) -> bool:
        return bool(self._open)

    def see(self, tick: int, value: Any) -> Iterator[Gathered]:
        """Add the observation of `tick`; yields the segments that it completes."""
        while self._open:
            decisions = self._open[0].decisions
            if tick <= decisions[-1].tick:
                place = bisect_left(decisions, tick, key=lambda decision: decision.tick)
                if decisions[place].tick == tick:
                    self._places.append(place)
                    self._values.append(value)
                return
            if tick <= decisions[-1].until:
                self._after = deepcopy(value)
            if tick < decisions[-1].until:
                return
            yield from self._close()  # the next segment may begin with the same observation

    def rest(self) -> Iterator[Gathered]:
        """Yield the rest after the last observation."""
        while self._open:
            yield from self._close()

    def _close(self) -> Iterator[Gathered]:
        """Yield the first open segment, cut where an observation is not in the file."""
        piece, places, values = self._open.popleft(), self._places, self._values
        if places and places[-1] == len(piece.decisions) - 1:
            values.append(values.whole()[-1] if self._after is None else self._after)
            places.append(len(piece.decisions))
        for _, run in groupby(enumerate(places), key=lambda one: one[1] - one[0]):
            rows = [*run]
            (start, first), (end, last) = rows[0], rows[-1]
            if first < last:
                yield piece.part(first, last), values.whole()[start : end + 1]
        self._begin()


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
