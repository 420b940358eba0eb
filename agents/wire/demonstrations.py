"""Demonstrations: what seats played and what came of it, kept for whoever trains on it later."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from agents.records import RecordWriter
from agents.wire.encoding import WireError
from agents.wire.messages import Hello, Log

MAX_DEMO_BYTES = 4 * 2**30  # of one file
SUFFIX = ".demo"


class DemonstrationError(Exception):
    """Transitions that could not be kept; the message says why, and the next ones may be."""


class Demonstrations:
    """A file of records in `folder`, made when the first transitions come."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: RecordWriter | None = None

    def keep(self, hello: Hello, log: Log) -> int:
        """Append what the seat of `hello` logged and return how many transitions; raises DemonstrationError."""
        rows = [transition.model_dump() for transition in log.transitions]
        record = {"game": hello.game, "agent": hello.agent, "source": log.source, "transitions": rows}
        try:
            self._open().append(record | {"time": time.time()})
        except (WireError, OSError) as error:
            raise DemonstrationError(f"expected to keep the transitions in {self._folder}, got: {error}") from error
        return len(rows)

    def _open(self) -> RecordWriter:
        if self._writer is None:
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
            self._writer = RecordWriter(self._folder / f"{stamp}{SUFFIX}")
        if self._writer.bytes > MAX_DEMO_BYTES:
            raise DemonstrationError(f"expected at most {MAX_DEMO_BYTES} bytes of demonstrations, got more")
        return self._writer

    def close(self) -> None:
        """Wait until all is on disk; twice does no harm."""
        if self._writer is not None:
            self._writer.close()
