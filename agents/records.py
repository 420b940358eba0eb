"""Append-only files of checked records: a killed process loses at most the record being written.

A file begins with ``PZARCAD1``, or with another format's magic bytes; a record is its length and its
CRC-32 (both uint32, little-endian), then that many bytes of msgpack with the wire's array type.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from isal.isal_zlib import crc32

from agents.wire.encoding import MAX_MESSAGE_BYTES, WireError, pack, unpack

MAGIC = b"PZARCAD1"
MAX_RECORD_BYTES = MAX_MESSAGE_BYTES
_HEAD = struct.Struct("<II")


class RecordError(ValueError):
    """Why the reading of a file stopped before its end."""


class RecordWriter:
    """Appends records to `path`; an unfinished record of an earlier writer is removed first."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = _whole_bytes(path) if path.exists() else 0
        self._file = open(path, "ab", buffering=0)  # noqa: SIM115  # held until close
        self.bytes = whole
        try:
            self._file.truncate(whole)
            if whole == 0:
                self._write(MAGIC)
        except OSError:
            self._file.close()
            if whole == 0:
                path.unlink(missing_ok=True)
            raise

    def append(self, value: Any) -> None:
        """Write one record; raises WireError for a value that msgpack cannot encode, OSError for a full disk.

        A partly written record is truncated, so that later records stay readable.
        """
        self._write(pack_record(value))

    def _write(self, data: bytes) -> None:
        written = self._file.write(data)
        if written != len(data):
            self._file.truncate(self.bytes)
            raise OSError(errno.ENOSPC, f"expected room for {len(data)} bytes, got {written}")
        self.bytes += len(data)

    def flush(self) -> None:
        """Wait until the records are on the disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        if not self._file.closed:
            self.flush()
            self._file.close()


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


def _whole_bytes(path: Path) -> int:
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return 0
        end = file.tell()
        try:
            for _ in _iter_raw(file):
                end = file.tell()
        except RecordError:
            return end
        return end


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
