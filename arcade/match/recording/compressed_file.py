"""CompressedFile: a recording's Zstandard file, appended to by the game loop and written by a thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path

import zstandard

from agents.platform import system

FLUSH_SECONDS = 0.4
"""Interval of flushes, disk time included: a kill loses at most half a second."""

LEVEL = 3
"""Zstandard's default compression level."""

BATCH_BYTES = 2**16
"""Bytes that are compressed at once."""

HURRY_BYTES = 2**21
"""Waiting bytes that are written without waiting for the next flush."""

MAX_WAITING_BYTES = 64 * 2**20
"""Most bytes that may wait for a slow or stalled disk."""


class CompressedFile:
    """Append-only: `magic`, then one Zstandard frame of all that is written.

    `write` never waits for the disk.  A failed write sets `failure` and ends the writing; everything flushed before
    stays readable.  A program that ends without `finish` (Ctrl-C, an error) still gets all on disk.
    """

    def __init__(self, path: Path, *, magic: bytes = b"") -> None:
        self.failure = ""
        self._magic = magic
        self._parts: deque[bytes] = deque()
        self._given = self._written = 0  # bytes, each counted by one thread alone
        self._finished = False
        self._hurry = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(path,), name=f"write {path.name}")
        self._thread.start()

    @property
    def waiting_bytes(self) -> int:
        """Bytes given but not yet written."""
        return self._given - self._written

    @property
    def has_room(self) -> bool:
        """Whether the disk keeps up."""
        return self.waiting_bytes <= MAX_WAITING_BYTES

    def wait_for_room(self) -> None:
        """Block until there is room, or writing has ended; for headless programs."""
        while not self.has_room and not self.failure and self._thread.is_alive():
            self._hurry.set()
            time.sleep(0.001)

    def write(self, data: bytes) -> None:
        """Queue `data`.

        Up to twice `MAX_WAITING_BYTES` are accepted; beyond that the disk counts as stalled.
        """
        if self.waiting_bytes > 2 * MAX_WAITING_BYTES:
            self.failure = "the disk is stalled"
        if not self.failure:
            self._given += len(data)
            self._parts.append(data)
            if self.waiting_bytes > HURRY_BYTES:
                self._hurry.set()

    def finish(self) -> None:
        """Let the thread write the rest and end."""
        self._finished = True
        self._hurry.set()

    def close(self) -> None:
        """Finish, and wait until all is on disk; can be called twice."""
        self.finish()
        self._thread.join()

    def _run(self, path: Path) -> None:
        is_made = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with FileIO(path, "xb") as file:  # unbuffered: what failed is not tried again at the end
                is_made = True
                self._write_all(file)
        except OSError as error:
            self.failure = error.strerror or str(error)
            with suppress(OSError):
                if is_made and path.stat().st_size <= len(self._magic):  # a file with nothing of the match
                    path.unlink()
        self._parts.clear()

    def _write_all(self, file: FileIO) -> None:
        _put(file, self._magic)
        frame = zstandard.ZstdCompressor(level=LEVEL).compressobj()
        last, due = False, time.monotonic() + FLUSH_SECONDS
        while not last and not self.failure:
            self._hurry.wait(max(0.0, due - time.monotonic()))
            self._hurry.clear()
            due = time.monotonic() + FLUSH_SECONDS
            # read before the rest is taken, so that nothing comes later; a program may end without `finish`
            last = self._finished or not threading.main_thread().is_alive()
            if self._parts or last:
                for data in self._batches():
                    _put(file, frame.compress(data))
                _put(file, frame.flush(zstandard.COMPRESSOBJ_FLUSH_FINISH if last else _FLUSH))
                system.flush(file.fileno())

    def _batches(self) -> Iterator[bytes]:
        """All that waits now, in batches, since each call of the compressor costs the game's thread a moment."""
        batch = bytearray()
        for left in reversed(range(len(self._parts))):
            batch += self._parts.popleft()
            if len(batch) > BATCH_BYTES or not left:
                yield bytes(batch)
                self._written += len(batch)
                batch.clear()


_FLUSH = zstandard.COMPRESSOBJ_FLUSH_BLOCK


def _put(file: FileIO, data: bytes) -> None:
    """Write all of `data`: an unbuffered write may take a part of it."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) or 0 :]
