"""TrainerCall: runs the trainer's program for a schema or a dry run."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from arcade.session.worker import Worker

LIMIT = 120.0
"""Seconds; a dry run imports torch and ray."""

MOST_BYTES = 8 * 2**20


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """Exit status and output."""

    status: int
    out: str
    err: str


class TrainerCall:
    """``python -m trainer WORDS`` in its own process.  `update` never waits; `done` is called once with the outcome."""

    def __init__(
        self, words: Sequence[str], *, worker: Worker, done: Callable[[CallOutcome], None],
        prepare: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        """`prepare` is called first, in the worker, for example to write a file of settings."""
        self._done = done
        self._process: subprocess.Popen[bytes] | None = None
        self._end: float | None = None
        self._closed = False
        self._out, self._err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  (closed by close)
        worker.submit(lambda: self._start(words, prepare), done=self._started, failed=self._failed)

    def update(self, now: float) -> None:
        """Call `done` once the process has ended, or took too long."""
        process = self._process
        if process is None or self._closed:
            return
        self._end = self._end if self._end is not None else now + LIMIT
        if (status := process.poll()) is not None:
            outcome = CallOutcome(status, _text(self._out), _text(self._err))
            self.close()
            self._done(outcome)
        elif now > self._end:
            self.close()
            self._done(CallOutcome(-1, "", f"the trainer gave no answer in {LIMIT:g} s"))

    def close(self) -> None:
        """Kill the process if it still runs; twice does no harm."""
        self._closed = True
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for file in (self._out, self._err):
            file.close()

    def _start(self, words: Sequence[str], prepare: Callable[[], object]) -> subprocess.Popen[bytes]:
        prepare()
        return subprocess.Popen(
            [sys.executable, "-m", "trainer", *words], stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err
        )

    def _started(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        if self._closed:
            self.close()

    def _failed(self, error: BaseException) -> None:
        if not self._closed:
            self.close()
            self._done(CallOutcome(-1, "", str(error)))


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read(MOST_BYTES).decode(errors="replace")
