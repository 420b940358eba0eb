"""Stack: values that come one by one, kept as one array; a large one in a file instead of in memory."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.match.recording.observations import copied

MEMORY_BYTES = 64 * 2**20
"""A larger array is kept in a file that the system may take out of memory, and that is gone with the array."""


class Stack:
    """At most `most` values; copies of them, so that a game may fill the same array again."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._array: NDArray[Any] | None = None  # with room for all, while the values are arrays of one kind
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
            self._values.append(copied(value))
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
