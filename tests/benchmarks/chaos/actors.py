"""Actors: the programs of the benchmark, each started again after its end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from agents.platform.children import start_child
from arcade.session.jobs import NICE
from tests.benchmarks.chaos.disks import Disk
from tests.benchmarks.chaos.slow_disk import SLOW_FILE
from tests.support.proxy import Proxy

MARK = "ARCADE_CHAOS"
"""Environment variable by which all processes of one benchmark are known."""

END_SECONDS = 90.0
"""For an orderly end, the trainer's checkpoint included."""


class Actor:
    """One program; `update` starts it again after its end."""

    name: ClassVar[str]
    nice: ClassVar[int] = 0
    warm_seconds: ClassVar[float] = 3.0
    """After its start it is struck only then, so that it comes to do its work."""

    def __init__(self, disk: Disk, log: Path) -> None:
        self.disk, self.log = disk, log
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0
        self.since = 0.0  # of the newest start
        self.ends = Counter[str]()  # exit statuses

    @property
    def runs(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        """Its process id, 0 where it does not run."""
        return self.process.pid if self.process is not None and self.runs else 0

    @property
    def is_warm(self) -> bool:
        """Whether it does its work by now."""
        return self.runs and time.monotonic() > self.since + self.warm_seconds

    def module(self) -> Sequence[str]:
        """The module and its arguments."""
        raise NotImplementedError

    def update(self) -> None:
        """Start it where it does not run, at most once a second."""
        if self.runs or time.monotonic() < self.since + 1.0:
            return
        if self.process is not None:
            self.ends[str(self.process.returncode)] += 1
        self.since, self.starts = time.monotonic(), self.starts + 1
        self.process = self._start()

    def ask_to_end(self) -> None:
        """Send SIGTERM."""
        if self.process is not None and self.runs:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()

    def end(self) -> bool:
        """Wait for the end, and kill it where that takes too long; whether it ended by itself."""
        self.ask_to_end()
        try:
            if self.process is not None:
                self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            assert self.process is not None
            self.process.kill()
            self.process.wait()
            return False
        return True

    def _start(self) -> subprocess.Popen[bytes]:
        with open(self.log, "ab") as log:
            command = [sys.executable, "-m", "tests.benchmarks.chaos.slow_disk", *self.module()]
            return start_child(
                command, stdin=subprocess.DEVNULL, stdout=self.output(), stderr=log, env=self.environment(),
                start_new_session=True, nice=self.nice,
            )  # fmt: skip

    def output(self) -> int:
        """Where its standard output goes."""
        return subprocess.DEVNULL

    def environment(self) -> Mapping[str, str]:
        """Its environment variables."""
        own = {
            "ARCADE_HOME": str(self.disk.home), "PYTHONPATH": os.getcwd(), SLOW_FILE: str(self.disk.slow_file),
            MARK: str(os.getpid()), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy",
            "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        }  # fmt: skip
        return {**os.environ, **own}


class Server(Actor):
    """The policy server of the remote seats, at the same port each time, behind a proxy.

    It stands for another machine, so what its start takes of this one's processor comes after the window.
    """

    name = "server"
    nice = NICE

    def __init__(self, disk: Disk, log: Path) -> None:
        super().__init__(disk, log)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.proxy = Proxy(self.port)

    def module(self) -> Sequence[str]:
        return ["tests.benchmarks.chaos.server", str(self.port)]

    def end(self) -> bool:
        ended = super().end()
        self.proxy.close()
        return ended


class Arcade(Actor):
    """The watched arcade; only its stage is killed."""

    name = "arcade"
    warm_seconds = 15.0

    def __init__(self, disk: Disk, log: Path, server: Server) -> None:
        super().__init__(disk, log)
        self.server = server
        self.frames, self.results = log.with_name("frames.bin"), log.with_name("results.jsonl")
        self.rests = log.with_name("rests.jsonl")

    def module(self) -> Sequence[str]:
        endpoint = f"tcp://127.0.0.1:{self.server.proxy.port}"
        return ["tests.benchmarks.chaos.arcade", endpoint, *map(str, (self.frames, self.results, self.rests))]


class BareLoop(Actor):
    """Does nothing sixty times a second, and is never struck: it feels what the machine does."""

    name = "bare loop"

    def __init__(self, disk: Disk, log: Path) -> None:
        super().__init__(disk, log)
        self.turns = log.with_name("turns.bin")

    def module(self) -> Sequence[str]:
        return ["tests.benchmarks.chaos.bare_loop", str(self.turns)]


class Recording(Actor):
    """An arcade without a window that records, at the priority of the window's own jobs."""

    name = "recorder"
    nice = NICE
    warm_seconds = 5.0

    def __init__(self, disk: Disk, log: Path) -> None:
        super().__init__(disk, log)
        self.replays, self.played = disk.home / "killed", log.with_name("played")
        self.played.mkdir()

    def module(self) -> Sequence[str]:
        return ["tests.benchmarks.chaos.recorder", str(self.replays), str(self.played)]


class Training(Actor):
    """A small run of volley, resumed after each end."""

    name = "trainer"
    nice = 15
    warm_seconds = 25.0
    settings = (
        "resources.games=8", "training.batch=512", "training.minibatch=256", "evaluation.steps=0",
        "freeze.win_rate=0", "freeze.placement_games=2", "checkpoints.seconds=15",
    )  # fmt: skip

    def module(self) -> Sequence[str]:
        begun = (self.disk.home / "runs" / "chaos" / "config.toml").exists()
        words = [word for one in self.settings for word in ("--set", one)]
        what = ["--resume", "chaos"] if begun else ["house/volley", "--run", "chaos", *words]
        return ["trainer", *what, "--nice", "15", "--parent", str(os.getpid())]


class Tournament(Actor):
    """Tournaments of volley by two workers, one after another; resumed after a kill."""

    name = "tournament"
    nice = NICE
    warm_seconds = 6.0

    def __init__(self, disk: Disk, log: Path) -> None:
        super().__init__(disk, log)
        self.id = ""
        self.reported = Counter[str]()  # matches by tournament
        self.finished = 0
        self._listener: threading.Thread | None = None

    def module(self) -> Sequence[str]:
        order = {"resume": self.id} if self.id else {
            "game": "house/volley", "entrants": ["random", "scripted"], "games": 400, "max_ticks": 20000,
        }  # fmt: skip
        return ["arcade.session.tournament_process", json.dumps({**order, "workers": 2})]

    def output(self) -> int:
        return subprocess.PIPE

    def update(self) -> None:
        if not self.runs and self._listener is not None:
            self._listener.join(5.0)  # the last lines decide what comes next
        super().update()

    def _start(self) -> subprocess.Popen[bytes]:
        process = super()._start()
        self._listener = threading.Thread(target=self._listen, args=(process,), name="tournament", daemon=True)
        self._listener.start()
        return process

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with suppress(ValueError):
                self._take(json.loads(line))

    def _take(self, message: Mapping[str, object]) -> None:
        match message:
            case {"id": str() as id}:
                self.id = id
            case {"match": 1}:
                self.reported[self.id] += 1
            case {"result": _}:
                self.id, self.finished = "", self.finished + 1
            case {"error": reason}:
                with self.log.open("a") as log:
                    log.write(f"{reason}\n")
