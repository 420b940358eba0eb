"""Memory that is used again, and not without end."""

from __future__ import annotations

import numpy as np

from arcade.match import buffers
from arcade.match.buffers import LARGE_BYTES, Buffers


def test_memory_that_came_back_is_used_again_and_small_arrays_have_their_own() -> None:
    own = Buffers()
    first = own.copy(np.ones(LARGE_BYTES, np.uint8))
    assert own.copy(np.zeros(LARGE_BYTES, np.uint8)) is not first
    own.give_back(first)
    again = own.copy(np.full((2, LARGE_BYTES // 2), 7, np.uint8))
    assert again is first
    assert set(again) == {7}
    assert isinstance(own.copy(np.zeros(LARGE_BYTES - 1, np.uint8)), bytes)


def test_what_is_kept_free_has_an_end() -> None:
    own = Buffers()
    lent = [own.copy(np.zeros(LARGE_BYTES, np.uint8)) for _ in range(buffers._MOST_FREE + 9)]
    for one in lent:
        own.give_back(one)
    assert sum(map(len, own._free.values())) == buffers._MOST_FREE
    sizes = [own.copy(np.zeros(LARGE_BYTES + more, np.uint8)) for more in range(buffers._MOST_SIZES + 9)]
    assert sum(isinstance(one, bytearray) for one in sizes) == buffers._MOST_SIZES
