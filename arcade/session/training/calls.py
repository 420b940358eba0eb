"""TrainerCall: runs the trainer's program for a schema or a dry run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile
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
    """``python -m trainer ARGUMENTS`` in its own process; `done` gets the outcome, unless closed before."""

    def __init__(
        self, arguments: Sequence[str], *, worker: Worker, done: Callable[[CallOutcome], None],
        prepare: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        """`prepare` is called first, in the worker, for example to write a file of settings."""
        self._arguments, self._prepare, self._done = arguments, prepare, done
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        worker.submit(self._run, done=self._finish, failed=lambda error: self._finish(CallOutcome(-1, "", str(error))))

    def close(self) -> None:
        """Kill the process if it still runs; can be called twice."""
        self._closed = True
        if self._process is not None:
            self._process.kill()

    def _run(self) -> CallOutcome:
        """In the worker."""
        self._prepare()
        command = [sys.executable, "-m", "trainer", *self._arguments]
        with TemporaryFile() as out, TemporaryFile() as err:
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err) as self._process:
                if self._closed:
                    self._process.kill()
                try:
                    status = self._process.wait(LIMIT)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    return CallOutcome(-1, "", f"the trainer gave no answer in {LIMIT:g} s")
            return CallOutcome(status, _text(out), _text(err))

    def _finish(self, outcome: CallOutcome) -> None:
        if not self._closed:
            self._done(outcome)


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read(MOST_BYTES).decode(errors="replace")
