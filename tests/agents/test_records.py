"""Files of records give back every whole one, whatever happened to the last."""

from __future__ import annotations

import io

import numpy as np
import pytest

from agents.records import MAX_RECORD_BYTES, RecordError, iter_records, pack_record
from agents.wire.encoding import WireError

WHOLE = b"".join(pack_record({"i": i, "a": np.arange(i)}) for i in range(3))


def numbers(data):
    """The number of each record up to the first that is damaged, and whether there was one."""
    found = []
    try:
        for record in iter_records(io.BytesIO(data)):
            found.append(record["i"])  # kept although a later one is damaged
    except RecordError:
        return found, True
    return found, False


def test_records_come_back_in_order():
    assert numbers(WHOLE) == ([0, 1, 2], False)


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_record_cut_short_is_left_out(cut):
    assert numbers(WHOLE[:-cut]) == ([0, 1], True)


def test_a_flipped_bit_ends_the_reading():
    data = bytearray(WHOLE)
    data[30] ^= 1
    found, damaged = numbers(data)
    assert damaged
    assert found in ([0], [0, 1])


def test_a_record_longer_than_any_reader_takes_is_not_written():
    with pytest.raises(WireError, match="at most 16777216 bytes"):
        pack_record(bytes(MAX_RECORD_BYTES))
