"""Buffers: memory for large arrays that is used again, since fresh pages cost several times what copying does."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

LARGE_BYTES = 2**16
"""From here on memory is used again."""

_MOST_FREE = 96
_MOST_SIZES = 8


class Buffers:
    """One thread copies, another gives back."""

    def __init__(self) -> None:
        self._free: dict[int, deque[bytearray]] = {}

    def copy(self, array: NDArray[np.generic]) -> bytes | bytearray:
        """The bytes of `array`, which are nobody else's until they are given back."""
        size = array.nbytes
        if size < LARGE_BYTES or (size not in self._free and len(self._free) >= _MOST_SIZES):
            return array.tobytes()
        free = self._free.setdefault(size, deque(maxlen=_MOST_FREE))
        buffer = free.pop() if free else bytearray(size)
        np.copyto(np.ndarray(array.shape, array.dtype, buffer), array)
        return buffer

    def give_back(self, data: bytes | bytearray) -> None:
        """Nobody reads it any more."""
        if isinstance(data, bytearray):
            self._free[len(data)].append(data)
