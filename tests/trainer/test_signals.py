"""Signals to real trainers and sweeps from outside: they end in time, whatever they are doing, and leave nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.run_lock import holder
from agents.seal import check_seal
from agents.wire.control import ControlClient
from tests.support.processes import DEADLINE, descendants, is_alive, wait_for
from trainer.runs.checkpoint import CheckpointFolder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

SMALL = (
    "resources.games=8", "training.batch=512", "training.minibatch=256", "evaluation.steps=0", "freeze.win_rate=0",
    "freeze.placement_games=2", "steps=10000000",
)  # fmt: skip
LONG = ("training.batch=4000000",)
SWEEP = "samples = 2\nparallel = 2\n[search]\ntraining.lr = {loguniform = [1e-4, 1e-2]}\n"
END_SECONDS = 120.0
"""Ray Tune lets trials that are just starting do so before it stops them, which takes long on a busy machine."""

GONE_SECONDS = 30.0
"""After the end; Ray's agents try for longer to report that of their cluster to it."""


class Program:
    """``arcade train``, of a run or of a sweep, with all processes that it has had."""

    def __init__(self, home: Path, kind: str, settings: tuple[str, ...]) -> None:
        self._log = home / "log.txt"
        words = [word for one in settings for word in ("--set", one)]
        if kind == "sweep":
            (home / "sweep.toml").write_text(SWEEP)
            words += ["--tune", str(home / "sweep.toml")]
        command = [sys.executable, "-m", "trainer", "house/volley", "--run", "one", *words]
        with self._log.open("w") as log:
            self.process = subprocess.Popen(command, env=os.environ, stdout=log, stderr=log)
        self.children = set[int]()

    @property
    def said(self) -> str:
        return self._log.read_text()

    def look(self) -> set[int]:
        found = set(descendants(self.process.pid))
        self.children |= found
        return found

    def wait_for(self, condition: Callable[[], object], what: str) -> None:
        wait_for(condition, self.process, f"{what}; it said: {self.said}")

    def has_agents(self) -> bool:
        """Whether Ray is in the midst of its start."""
        return any(descendants(pid) for pid in self.look() if name_of(pid) == "raylet")

    def end(self, number: str) -> int:
        """Send the signal; the exit status, once nothing is left."""
        self.look()
        self.process.send_signal(getattr(signal, number))
        end = time.monotonic() + END_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < end, self.said
            self.look()
        end = time.monotonic() + GONE_SECONDS
        while left := [*filter(is_alive, self.children)]:
            assert time.monotonic() < end, [*map(name_of, left)]
            time.sleep(0.02)
        return self.process.returncode


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


@pytest.fixture
def start(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # ignored in what a shell starts in the background
    programs = []

    def begin(kind: str, *settings: str) -> Program:
        programs.append(Program(tmp_path, kind, SMALL + settings))
        return programs[-1]

    yield begin
    for program in programs:
        program.look()
        for pid in (program.process.pid, *filter(is_alive, program.children)):
            if pid != program.process.pid or program.process.poll() is None:
                os.kill(pid, signal.SIGKILL)
        program.process.wait()
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("kind", "number", "status", "words"),
    [
        ("run", "SIGINT", 0, "stopped before it began"),
        ("run", "SIGKILL", -signal.SIGKILL, ""),
        ("sweep", "SIGINT", 0, "stopped before all trials ended"),
        ("sweep", "SIGTERM", 0, "stopped before all trials ended"),
    ],
)
def test_a_signal_while_ray_starts_ends_it_and_all_that_ray_has_begun(kind, number, status, words, start, tmp_path):
    program = start(kind)
    program.wait_for(program.has_agents, "the agents of Ray")
    assert program.end(number) == status, program.said
    assert words in program.said
    assert "Traceback" not in program.said
    assert holder(tmp_path / f"{kind}s" / "one") == 0


def test_a_second_interrupt_ends_a_run_at_once_with_whole_checkpoints(start, tmp_path):
    program = start("run", *LONG)
    run = tmp_path / "runs" / "one"
    program.wait_for(lambda: list((run / "checkpoints").glob("[0-9]*/state.json")), "the first checkpoint")
    endpoints = json.loads((run / "endpoints.json").read_text())
    program.process.send_signal(signal.SIGINT)
    with ControlClient(endpoints["control"]) as control:
        program.wait_for(lambda: control.call("status", timeout=DEADLINE)["asked"] == "stopped", "the first signal")
        assert program.end("SIGINT") == 130, program.said
    assert "stopped at once; what came after the newest checkpoint is lost" in program.said
    assert "Traceback" not in program.said
    saved = CheckpointFolder(run / "checkpoints").newest_first()
    assert saved
    for one in saved:
        check_seal(one)


def test_a_sweep_that_is_stopped_ends_its_trials_and_can_be_resumed(start, tmp_path):
    program = start("sweep", *LONG)
    program.wait_for(lambda: program.said.count("begins") == 2, "two trials")
    assert program.end("SIGTERM") == 0, program.said
    assert "resume it with: --resume one" in program.said
    assert "Traceback" not in program.said
    assert holder(tmp_path / "sweeps" / "one") == 0
