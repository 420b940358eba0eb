"""A file that is appended to from the game loop and written by a thread of its own."""

from __future__ import annotations

import os
import queue
import threading
import time
from io import BufferedWriter
from pathlib import Path

FLUSH_SECONDS = 0.5
"""What a kill may lose at most."""


class BackgroundFile:
    """Append-only; `write` never waits for the disk.  A write that fails is kept in `failure` and ends the writing.

    A program that ends without `finish` (Ctrl-C, an error) still gets all on disk that was written before.
    """

    def __init__(self, path: Path) -> None:
        self.failure = ""
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, args=(path,), name=f"write {path.name}")
        self._thread.start()

    def write(self, data: bytes) -> None:
        if not self.failure:
            self._queue.put(data)

    def finish(self) -> None:
        """No more is to come; the thread writes what is left and ends by itself."""
        self._queue.put(None)

    def close(self) -> None:
        """`finish`, and wait until all is on disk; twice does no harm."""
        self.finish()
        self._thread.join()

    def _write_all(self, path: Path) -> None:
        try:
            with open(path, "xb") as file:
                while self._write_some(file):
                    pass
        except OSError as error:
            self.failure = f"{path.name} could not be written: {error.strerror or error}"

    def _write_some(self, file: BufferedWriter) -> bool:
        """Collect for half a second, then write and sync at once; False at the end."""
        chunk = self._wait()
        deadline = time.monotonic() + FLUSH_SECONDS
        while chunk is not None:
            file.write(chunk)
            try:
                chunk = self._queue.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
        file.flush()
        os.fsync(file.fileno())
        return chunk is not None

    def _wait(self) -> bytes | None:
        """The next chunk; None at the end, also where the program ended and told nobody."""
        while True:
            try:
                return self._queue.get(timeout=FLUSH_SECONDS)
            except queue.Empty:
                if not threading.main_thread().is_alive():
                    return None
