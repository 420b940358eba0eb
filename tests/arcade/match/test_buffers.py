"""Memory that is used again, and not without end."""

from __future__ import annotations

import io

import numpy as np
import pytest

from agents.records import take_records
from arcade.match.recording import observations as buffers
from arcade.match.recording import tick_encoder
from arcade.match.recording.observations import LARGE_BYTES, Buffers
from arcade.match.recording.tick_encoder import TickEncoder, copy_tick
from arcade.match.stage.tick import Tick


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


def test_memory_is_not_used_again_before_it_is_written() -> None:
    own, seen = Buffers(), np.arange(2 * LARGE_BYTES, dtype=np.uint8)
    other = np.full_like(seen, 255)
    tick = Tick(0, ("ann", "bob"), {"ann": seen, "bob": other - seen}, {}, {"ann": 0.0, "bob": 0.0})
    taken = copy_tick(tick, {}, 0.0, frozenset(("ann", "bob")), own)
    data = bytearray()
    for part in TickEncoder(own).encode(taken):
        own.copy(other)  # the match goes on meanwhile
        data += part
    _, record = take_records(io.BytesIO(data))
    assert record[0] == "tick"
    assert record[-1][1] == [seen.tobytes(), (other - seen).tobytes()]


def test_what_is_too_large_for_a_record_is_left_out_and_the_tick_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tick_encoder, "MAX_SEEN_BYTES", 4 * tick_encoder.TICK_BYTES)
    own, encoder = Buffers(), TickEncoder(Buffers())
    for index, size in enumerate((8, 4 * tick_encoder.TICK_BYTES, 8)):
        seen = {"ann": np.zeros(size, np.uint8)}
        taken = copy_tick(Tick(index, ("ann",), seen), {}, 0.0, frozenset(seen), own)
        *_, record = take_records(io.BytesIO(b"".join(encoder.encode(taken))))
        assert record[:2] == ["tick", index]
        assert (record[-1] is None) == (size > 8)
        assert encoder.too_large == (index > 0)
