"""Append-only files of checked records: a kill in mid-write costs at most the record being written.

A file begins with the eight bytes ``PZARCAD1``; a record is its length and its CRC-32 (both uint32, little-endian),
then that many bytes of msgpack with the wire's array type.
"""

from __future__ import annotations

import errno
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agents.wire import MAX_MESSAGE_BYTES, WireError, pack, unpack

MAGIC = b"PZARCAD1"
_HEAD = struct.Struct("<II")


class RecordWriter:
    """Appends records to `path`; what an earlier writer left unfinished at the end is cut off first."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = _whole_bytes(path) if path.exists() else 0
        self._file = open(path, "ab", buffering=0)  # noqa: SIM115  # held until close
        try:
            self._file.truncate(whole)
            if whole == 0 and self._file.write(MAGIC) != len(MAGIC):
                raise OSError(errno.ENOSPC, f"expected room for {len(MAGIC)} bytes, got less")
        except OSError:
            self._file.close()
            if whole == 0:
                path.unlink(missing_ok=True)
            raise
        self.bytes = max(whole, len(MAGIC))

    def append(self, value: Any) -> None:
        """Hand one record to the system; raises WireError for what msgpack cannot hold, OSError for a full disk.

        What of a record did not fit is taken back, so that the next one can be read.
        """
        data = pack(value)
        if len(data) > MAX_MESSAGE_BYTES:
            raise WireError(f"expected a record of at most {MAX_MESSAGE_BYTES} bytes, got {len(data)}")
        record = _HEAD.pack(len(data), zlib.crc32(data)) + data
        written = self._file.write(record)
        if written != len(record):
            self._file.truncate(self.bytes)
            raise OSError(errno.ENOSPC, f"expected room for {len(record)} bytes, got {written}")
        self.bytes += len(record)

    def flush(self) -> None:
        """Wait until the records are on the disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        if not self._file.closed:
            self.flush()
            self._file.close()


def read_records(path: Path) -> Iterator[Any]:
    """The records in order, up to the first that is not whole."""
    for data, _ in _raw_records(path):
        try:
            yield unpack(data)
        except WireError:
            return


def _whole_bytes(path: Path) -> int:
    return max((end for _, end in _raw_records(path)), default=0)


def _raw_records(path: Path) -> Iterator[tuple[bytes, int]]:
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            size, check = _HEAD.unpack(head)
            if size > MAX_MESSAGE_BYTES:
                return
            data = file.read(size)
            if len(data) != size or zlib.crc32(data) != check:
                return
            yield data, file.tell()
