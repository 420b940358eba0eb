"""Checked records, one behind the other in a file: a killed process loses at most the record being written.

A record is its length and its CRC-32 (both uint32, little-endian), then that many bytes of msgpack with the wire's
array type.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, Any

from isal.isal_zlib import crc32

from agents.wire.encoding import WireError, pack, unpack
from agents.wire.limits import MAX_MESSAGE_BYTES

MAX_RECORD_BYTES = MAX_MESSAGE_BYTES
_HEAD = struct.Struct("<II")


class RecordError(ValueError):
    """Why the reading of a file stopped before its end."""


def pack_record(value: Any) -> bytes:
    """The bytes of one record; raises WireError for a value that msgpack cannot hold, or one too large."""
    data = pack(value)
    if len(data) > MAX_RECORD_BYTES:
        raise WireError(f"expected a record of at most {MAX_RECORD_BYTES} bytes, got {len(data)}")
    return _HEAD.pack(len(data), crc32(data)) + data


def iter_records(file: IO[bytes]) -> Iterator[Any]:
    """The records from the position of `file` to its end; raises RecordError at the first that is not whole."""
    for data in _iter_raw(file):
        try:
            yield unpack(data)
        except WireError as error:
            raise RecordError(str(error)) from error


def _iter_raw(file: IO[bytes]) -> Iterator[bytes]:
    while head := file.read(_HEAD.size):
        if len(head) < _HEAD.size:
            raise RecordError("a record that is cut off")
        size, check = _HEAD.unpack(head)
        if size > MAX_RECORD_BYTES:
            raise RecordError(f"expected a record of at most {MAX_RECORD_BYTES} bytes, got: {size}")
        data = file.read(size)
        if len(data) < size:
            raise RecordError("a record that is cut off")
        if crc32(data) != check:
            raise RecordError("a record whose checksum does not match")
        yield data
