"""BackgroundFile: a compressed file that the game loop appends to and a thread writes."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from io import FileIO
from pathlib import Path
from typing import Generic, TypeVar

import zstandard

from arcade.match.recording.observations import LARGE_BYTES

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

T = TypeVar("T")
Data = bytes | bytearray


class BackgroundFile(Generic[T]):
    """Append-only: `magic`, then one Zstandard frame of the parts that `encode` makes, in the thread, of each thing.

    `write` never waits for the disk.  A failed write sets `failure` and ends the writing; everything flushed before
    stays readable.  A program that ends without `finish` (Ctrl-C, an error) still gets all on disk.
    """

    def __init__(self, path: Path, encode: Callable[[T], Iterable[Data]], *, magic: bytes = b"") -> None:
        self.failure = ""
        self._encode, self._magic = encode, magic
        self._things: deque[tuple[T, int]] = deque()
        self._given = self._written = 0  # bytes, each counted by one thread alone
        self._finished = False
        self._hurry = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(path,), name=f"write {path.name}")
        self._thread.start()

    @property
    def waiting_bytes(self) -> int:
        """Bytes given but not yet written."""
        return self._given - self._written

    def has_room(self, size: int) -> bool:
        """Whether `size` more bytes may wait."""
        return self.waiting_bytes + size <= MAX_WAITING_BYTES

    def wait_for_room(self, size: int) -> None:
        """Block until there is room, or writing has ended; for headless programs."""
        while not self.has_room(size) and self.waiting_bytes and not self.failure and self._thread.is_alive():
            self._hurry.set()
            time.sleep(0.001)

    def write(self, thing: T, size: int) -> None:
        """Queue `thing`, which takes about `size` bytes of memory.

        Up to twice `MAX_WAITING_BYTES` are accepted; beyond that the disk counts as stalled.
        """
        if self.waiting_bytes > 2 * MAX_WAITING_BYTES:
            self.failure = "the disk is stalled"
        if not self.failure:
            self._given += size
            self._things.append((thing, size))
            if self._given - self._written > HURRY_BYTES:
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
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with FileIO(path, "xb") as file:  # unbuffered: what failed is not tried again at the end
                self._write_all(file)
        except OSError as error:
            self.failure = error.strerror or str(error)
        except Exception as error:  # noqa: BLE001  (a game may return anything; the player sees `failure`)
            self.failure = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        self._things.clear()

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
            if self._things or last:
                for data in _batched(self._encode_all()):
                    _put(file, frame.compress(data))
                _put(file, frame.flush(zstandard.COMPRESSOBJ_FLUSH_FINISH if last else _FLUSH))
                os.fsync(file.fileno())

    def _encode_all(self) -> Iterator[Data]:
        """Encode all that waits now; later things belong to the next flush."""
        for _ in range(len(self._things)):
            thing, size = self._things.popleft()
            yield from self._encode(thing)
            self._written += size


def _batched(parts: Iterable[Data]) -> Iterator[Data]:
    """Join small parts, since each call of the compressor costs the game's thread a moment; keep no large one."""
    small: list[Data] = []
    size = 0
    for part in parts:
        is_large = len(part) >= LARGE_BYTES
        if not is_large:
            small.append(part)
            size += len(part)
        if is_large or size > BATCH_BYTES:
            yield b"".join(small)
            small, size = [], 0
        if is_large:
            yield part
    yield b"".join(small)


_FLUSH = zstandard.COMPRESSOBJ_FLUSH_BLOCK


def _put(file: FileIO, data: bytes) -> None:
    """Write all of `data`: an unbuffered write may take a part of it."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) or 0 :]
