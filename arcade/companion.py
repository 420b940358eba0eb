"""A trainer beside the arcade: a process of its own, at low priority, ended with the window."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
from types import TracebackType
from typing import Self

from agents.errors import UserError
from agents.home import folder
from arcade.match.lineup import open_store

NICE = "15"
"""Its priority: the window keeps its rate, the trainer takes what is left."""

STOP_LIMIT = 60.0
"""Seconds for the last checkpoint; a machine under load may take long to write it."""


class CompanionError(UserError):
    """A trainer that cannot be started here."""


class TrainerProcess:
    """Runs ``python -m trainer`` on a game at low priority.

    It goes on with the run that earlier sittings left, else from the newest snapshot of the game, so that what it
    freezes is at least a match for what is there.  Raises CompanionError where the trainer's
    packages are not installed.  What it prints goes to its run's log.
    """

    def __init__(self, game: str) -> None:
        if importlib.util.find_spec("ray") is None or importlib.util.find_spec("torch") is None:
            raise CompanionError(
                "expected the trainer's packages, got none; install them: pip install pettingzoo-arcade[train]"
            )
        self.run = "beside-" + "".join(c if c.isalnum() or c in "-_" else "-" for c in game)
        self._log = open(folder("runs") / f"{self.run}.log", "ab")  # noqa: SIM115  (closed with the process)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "trainer", *self._begin(game), "--nice", NICE, "--stop-with-parent"],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,  # Ctrl-C in the terminal reaches the window alone, which then asks for a clean stop
        )

    def _begin(self, game: str) -> list[str]:
        if (folder("runs") / self.run / "config.toml").exists():
            return ["--resume", self.run]
        newest = open_store(folder("snapshots")).latest(game)
        return [game, "--run", self.run, *(["--from", newest] if newest else [])]

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """Ask for a clean stop and wait for the checkpoint; twice does no harm."""
        if self.running:
            self._process.send_signal(signal.SIGTERM)
            print("arcade: the trainer writes its checkpoint …", file=sys.stderr)
            try:
                self._process.wait(STOP_LIMIT)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
                print(f"arcade: the trainer did not end in {STOP_LIMIT:g} s and was killed", file=sys.stderr)
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
