"""Trainers that the arcade starts, in processes of low priority that end with the window unless they stay.

TrainerCall runs the trainer's program for a schema or a dry run.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from agents.closing import Closing
from agents.errors import UserError
from agents.files import folder, read_toml
from agents.platform import system
from agents.platform.children import start_child
from agents.run_lock import announce, holder, withdraw
from arcade.language import N_, _
from arcade.session.worker import Worker

NICE = 15
"""Priority of the trainer, so that the window keeps its frame rate."""

STOP_LIMIT = 60.0
"""Seconds for the last checkpoint, slow on a busy machine."""

PACKAGES = ("ray", "torch", "onnx", "tensorboardX")
_LAST_BYTES = 4096  # of the log, for its last line


class TrainerProcessError(UserError):
    """The trainer cannot be started on this machine."""


class OwnTrainer(Closing):
    """A ``python -m trainer ARGUMENTS`` that this window started, with its output in `log`.

    It ends with the window, after a last checkpoint, unless it `stays`.  `nice` is its priority from the first
    instruction on.  Raises TrainerProcessError where the trainer's packages are not installed.
    """

    stopping = False  # whether a clean stop was requested

    def __init__(self, arguments: Sequence[str], log: Path, *, stays: bool = False, nice: int = NICE) -> None:
        check_packages()
        self.log, self.stays, self._nice = log, stays, nice
        self._closing = False
        self._process: subprocess.Popen[bytes] | None = self._start(arguments)
        threading.Thread(target=self._watch, args=(self._process,), name="trainer", daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process id, 0 for one that another window started."""
        return self._process.pid if self._process is not None else 0

    @property
    def status(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.poll() if self._process is not None else None

    @property
    def end(self) -> str:
        """Exit status and last log line after a failure that was no requested stop, else "".  Reads the disk."""
        if not self.status or self.stopping:
            return ""
        return f"It ended with status {self.status}: {last_line(self.log) or 'no output'}"

    def ask_to_end(self) -> None:
        """Request a clean stop without waiting, unless it stays."""
        self._closing = True
        if not self.stays:
            self.stop()

    def stop(self) -> None:
        """Request a clean stop, once, without waiting: Python no longer handles a second signal as it exits."""
        asked, self.stopping = self.stopping, True
        if self._process is not None and self.running and not asked:
            system.give_way(0, process_id=self._process.pid)  # no window is left that needs the processor
            self._process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        """Stop cleanly and wait for the checkpoint, unless it stays; can be called twice."""
        self.ask_to_end()
        if self._process is None or not self.running or self.stays:
            return
        _say("the trainer is writing its checkpoint …")
        try:
            self._process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            _say(f"the trainer did not end in {STOP_LIMIT:g} s and was killed")

    def _start(self, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
        follows = [] if self.stays else ["--parent", str(os.getpid())]
        with open(self.log, "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "trainer", *arguments, *follows],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **system.own_session,  # Ctrl-C in the terminal reaches only the window
            )
        if self._nice:
            system.give_way(self._nice, process_id=process.pid)  # its imports included
        with contextlib.suppress(OSError):  # on a full disk other windows see the trainer later
            announce(self.log.with_suffix(""), process.pid)
        return process

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for the process, so that it does not stay a zombie, and report a failure."""
        status = process.wait()
        withdraw(self.log.with_suffix(""), process.pid)
        if status and not self._closing and not self.stopping:
            _say(f"the trainer failed with status {status}; see {self.log}")


class TrainerProcess(OwnTrainer):
    """A trainer of `game` at low priority beside the window.

    It resumes the run of earlier sessions, or else starts from the newest snapshot of the game.  Where another window's
    trainer already trains that run, none is started: this window follows the other one, and does not stop it.
    """

    def __init__(self, game: str, *, nice: int = NICE) -> None:
        self.run = "beside-" + "".join(c if c.isalnum() or c in "-_" else "-" for c in game)
        log = folder("runs") / f"{self.run}.log"
        if other := holder(folder("runs") / self.run):
            check_packages()
            self.log, self.stays, self._closing, self._process = log, False, False, None
            _say(f"a trainer of {game} already runs (process {other}); this window follows it")
        else:
            super().__init__([*self._begin(game), "--nice", str(nice)], log, nice=nice)

    def _begin(self, game: str) -> list[str]:
        run = folder("runs") / self.run
        if (run / "config.toml").exists():
            from arcade.session.training.resuming import find_risk  # pydantic and msgspec, after the first frame

            is_current = "format" in read_toml(run / "config.toml")
            if is_current and find_risk(run) is None:
                return ["--resume", self.run]
            other = "unsigned" if is_current else "0.1.0"  # that version had other settings and checkpoints
            kept = _free_path(run.with_name(f"{self.run}-{other}"))
            run.rename(kept)
            _say(
                f"a new run of {game} begins beside {kept.name}; to trust and resume that one: arcade train --resume "
                f"{kept.name} --trust --trust-checkpoint"
            )
        from agents.snapshots.store import open_store  # numpy takes longer than the title may

        newest = open_store().choose("latest", game=game)
        return [game, "--run", self.run, *(["--from", newest] if newest else [])]


class OwnTrainers:
    """The trainers that this window started, by run."""

    def __init__(self, worker: Worker, *, say: Callable[[str], None]) -> None:
        self._worker, self._say = worker, say
        self._by_run: dict[str, OwnTrainer] = {}

    def get(self, run: str) -> OwnTrainer | None:
        """Return the trainer of `run`, if this window started it."""
        return self._by_run.get(run)

    @property
    def running(self) -> tuple[str, ...]:
        """The runs whose trainers run."""
        return tuple(self.processes)

    @property
    def processes(self) -> dict[str, int]:
        """Their process ids, by run."""
        return {run: trainer.pid for run, trainer in self._by_run.items() if trainer.running}

    def start(
        self, run: str, arguments: Sequence[str], *, nice: int, stays: bool = False,
        failed: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        """Start ``python -m trainer ARGUMENTS`` for `run` in the worker, see OwnTrainer.

        Where it cannot be started, `failed` gets the reason; without it people are told.
        """
        log = folder("runs") / f"{run}.log"
        if run not in self.running:
            self._by_run.pop(run, None)  # its end is no longer the run's
        self._worker.submit(
            lambda: OwnTrainer(arguments, log, stays=stays, nice=nice),
            done=lambda trainer: self._by_run.update({run: trainer}),
            failed=lambda error: (failed or self._say)(str(error)),
            errors=(UserError, OSError),
        )

    def close(self) -> None:
        """End all trainers that do not stay; they write their last checkpoints at the same time."""
        for trainer in self._by_run.values():
            trainer.ask_to_end()
        for trainer in self._by_run.values():
            trainer.close()


def last_line(log: Path) -> str:
    """The last line of a trainer's log, "" for none.  Reads the disk."""
    from agents.wire.trainer_events import line  # imports pydantic

    try:
        with open(system.open_regular(log), "rb") as file:
            file.seek(max(0, file.seek(0, 2) - _LAST_BYTES))
            lines = [text.strip() for text in file.read().decode(errors="replace").splitlines() if text.strip()]
    except OSError:
        lines = []
    return line(lines[-1], most=200) if lines else ""


def check_packages() -> None:
    """Raises TrainerProcessError where the trainer's packages are not installed."""
    if any(importlib.util.find_spec(name) is None for name in PACKAGES):
        raise TrainerProcessError(
            "expected the trainer's packages, got none; install them: pip install 'pettingzoo-arcade[train]'",
            code="not_installed",
        )


def _free_path(path: Path) -> Path:
    """Return the path, or where it is taken the first free one with a number behind it, from 2 on."""
    numbered = (path.with_name(f"{path.name}-{number}") for number in count(2))
    return next(one for one in chain((path,), numbered) if not one.exists())


def _say(text: str) -> None:
    print(f"arcade: {text}", file=sys.stderr)


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
    """``python -m trainer ARGUMENTS`` in its own process; `on_end` gets the outcome, unless closed before.  A Job."""

    progress = None

    def __init__(
        self, arguments: Sequence[str], *, title: str, worker: Worker, on_end: Callable[[CallOutcome], None],
        prepare: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        """`title` is marked with N_; `prepare` is called first, in the worker, for example to write a file."""
        self._title, self._text, self.done = title, "", False
        self._arguments, self._prepare, self._on_end = arguments, prepare, on_end
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        worker.submit(self._run, done=self._finish, failed=lambda error: self._finish(CallOutcome(-1, "", str(error))))

    @property
    def title(self) -> str:
        """What it does, for people."""
        return _(self._title)

    @property
    def text(self) -> str:
        """How it ended, for people."""
        return _(self._text) if self._text else ""

    def close(self) -> None:
        """Kill the process if it still runs; can be called twice."""
        self._closed = True
        self.cancel()

    def cancel(self) -> None:
        """Kill the process if it still runs; the outcome is that of a failure."""
        if self._process is not None:
            self._process.kill()

    def _run(self) -> CallOutcome:
        """In the worker."""
        if not self._closed:
            self._prepare()
        command = [sys.executable, "-m", "trainer", *self._arguments]
        with TemporaryFile() as out, TemporaryFile() as err:
            with start_child(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err) as self._process:
                if self._closed:
                    self._process.kill()
                try:
                    status = self._process.wait(LIMIT)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    return CallOutcome(-1, "", f"the trainer gave no answer in {LIMIT:g} s")
            return CallOutcome(status, _text(out), _text(err))

    def _finish(self, outcome: CallOutcome) -> None:
        self.done, self._text = True, N_("Failed") if outcome.status else N_("Done")
        if not self._closed:
            self._on_end(outcome)


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read(MOST_BYTES).decode(errors="replace")
