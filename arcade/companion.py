"""A trainer beside the arcade: a process of its own, at low priority, ended with the window."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from agents.errors import UserError
from agents.home import folder
from arcade.match.lineup import open_store
from arcade.run_lock import holder

NICE = 15
"""Its priority: the window keeps its rate, the trainer takes what is left."""

STOP_LIMIT = 60.0
"""Seconds for the last checkpoint; a machine under load may take long to write it."""

PACKAGES = ("ray", "torch", "onnx", "tensorboardX")


class CompanionError(UserError):
    """A trainer that cannot be started here."""


class TrainerProcess:
    """Runs ``python -m trainer`` on a game at low priority.

    It goes on with the run that earlier sittings left, else from the newest snapshot of the game, so that what it
    freezes is at least a match for what is there.  Where another window's trainer has that run, none is started:
    this window listens to that one, and leaves it alone as it closes.  Raises CompanionError where the trainer's
    packages are not installed.  What it prints goes to its run's log.
    """

    def __init__(self, game: str) -> None:
        if any(importlib.util.find_spec(name) is None for name in PACKAGES):
            raise CompanionError(
                "expected the trainer's packages, got none; install them: pip install 'pettingzoo-arcade[train]'"
            )
        self.run = "beside-" + "".join(c if c.isalnum() or c in "-_" else "-" for c in game)
        self._closing = False
        self._process: subprocess.Popen[bytes] | None = None
        if other := holder(folder("runs") / self.run):
            _say(f"a trainer of {game} already runs (process {other}); this window listens to it")
            return
        self._process = self._start(game)
        threading.Thread(target=self._watch, args=(self._process,), name="trainer", daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether a trainer of our own runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> Path:
        """What it printed."""
        return folder("runs") / f"{self.run}.log"

    def close(self) -> None:
        """Ask for a clean stop and wait for the checkpoint; twice does no harm."""
        self._closing = True
        if self._process is None or not self.running:
            return
        _weigh(self._process.pid, 0)  # there is no window left to give way to
        self._process.send_signal(signal.SIGTERM)
        _say("the trainer writes its checkpoint …")
        try:
            self._process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            _say(f"the trainer did not end in {STOP_LIMIT:g} s and was killed")

    def _start(self, game: str) -> subprocess.Popen[bytes]:
        options = ["--nice", str(NICE), "--parent", str(os.getpid())]
        with open(self.log, "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "trainer", *self._begin(game), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C in the terminal reaches the window alone, which then asks for an end
            )
        _weigh(process.pid, NICE)  # from its first instruction on, its imports included
        return process

    def _begin(self, game: str) -> list[str]:
        if (folder("runs") / self.run / "config.toml").exists():
            return ["--resume", self.run]
        newest = open_store(folder("snapshots")).latest(game)
        return [game, "--run", self.run, *(["--from", newest] if newest else [])]

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """Reap it as it ends, or it would look alive, and tell of an end that nobody asked for."""
        status = process.wait()
        if status and not self._closing:
            _say(f"the trainer ended by itself (status {status}); its last words are in {self.log}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _weigh(pid: int, nice: int) -> None:
    """Set the priority of a process that leads a session of its own, and of all in it.

    Linux weighs such a session as a whole (autogroup), whatever the priority of the processes in it.
    """
    with contextlib.suppress(OSError):  # only the system's owner may raise a priority
        os.setpriority(os.PRIO_PROCESS, pid, nice)
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(nice))


def _say(words: str) -> None:
    print(f"arcade: {words}", file=sys.stderr)
