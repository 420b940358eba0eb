"""Demonstrations: transitions that clients of a policy server log, as files of records."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from agents.records import RecordWriter
from agents.wire.encoding import WireError
from agents.wire.messages import Hello, Log, ProtocolError

MAX_DEMO_BYTES = 4 * 2**30  # of one file


class Demonstrations:
    """A file of records in `folder`, created with the first transitions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: RecordWriter | None = None

    def write(self, hello: Hello, log: Log) -> None:
        """Append the transitions that the seat of `hello` logged; raises ProtocolError where that fails."""
        rows = [transition.model_dump() for transition in log.transitions]
        record = {"game": hello.game, "agent": hello.agent, "source": log.source, "transitions": rows}
        try:
            if self._writer is None:
                self._writer = RecordWriter(self._folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}.demo")
            if self._writer.bytes > MAX_DEMO_BYTES:
                raise WireError(f"more than {MAX_DEMO_BYTES} bytes")
            self._writer.append(record | {"time": time.time()})
        except (WireError, OSError) as error:
            text = f"expected to write the transitions to {self._folder}, got: {error}"
            raise ProtocolError("refused", text) from error

    def close(self) -> None:
        """Wait until all is on disk."""
        if self._writer is not None:
            self._writer.close()
