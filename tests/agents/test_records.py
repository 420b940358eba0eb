"""Append-only files keep every whole record, whatever happens to the last one."""

from __future__ import annotations

import resource
import signal

import numpy as np
import pytest

from agents.records import MAX_RECORD_BYTES, RecordWriter
from agents.wire.encoding import WireError
from tests.support.records import read_records


@pytest.fixture
def path(tmp_path):
    writer = RecordWriter(tmp_path / "demos" / "a.demo")
    for i in range(3):
        writer.append({"i": i, "a": np.arange(i)})
    writer.close()
    writer.close()
    return tmp_path / "demos" / "a.demo"


def numbers(path):
    return [record["i"] for record in read_records(path)]


def test_records_come_back_in_order(path):
    assert numbers(path) == [0, 1, 2]


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_record_cut_short_is_left_out_and_overwritten(path, cut):
    path.write_bytes(path.read_bytes()[:-cut])
    assert numbers(path) == [0, 1]
    writer = RecordWriter(path)
    writer.append({"i": 9})
    writer.close()
    assert numbers(path) == [0, 1, 9]


def test_a_record_that_the_disk_has_no_room_for_spoils_none_after_it(path):
    writer = RecordWriter(path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as a full disk: the write comes back short
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (writer.bytes + 20, hard))
        with pytest.raises(OSError, match="room"):
            writer.append({"i": 8, "a": np.arange(100)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    writer.append({"i": 9})
    writer.close()
    assert numbers(path) == [0, 1, 2, 9]


def test_a_flipped_bit_ends_the_reading(path):
    data = bytearray(path.read_bytes())
    data[30] ^= 1
    path.write_bytes(data)
    assert numbers(path) in ([], [0], [0, 1])


def test_a_file_of_something_else_holds_none(tmp_path):
    (tmp_path / "x").write_bytes(b"\x80\x04pickle" * 9)
    assert list(read_records(tmp_path / "x")) == []


def test_a_record_longer_than_any_reader_takes_is_not_written(path):
    writer = RecordWriter(path)
    with pytest.raises(WireError, match="at most 16777216 bytes"):
        writer.append(bytes(MAX_RECORD_BYTES))
    writer.append({"i": 9})
    writer.close()
    assert numbers(path) == [0, 1, 2, 9]
