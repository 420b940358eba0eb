"""The end of the program: in order at a signal, with the recording closed, and in time whatever is stuck."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arcade.match.playback.reader import read_replay

DEADLINE = 120.0
PLAY = ("play", "house/volley", "--seat", "left_0=scripted", "--seat", "right_0=scripted", "--record")

STUCK = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
import arcade.exit, arcade.__main__ as program
def window():
    ThreadPoolExecutor(1).submit(threading.Event().wait)
    {end}
program._run = window
program.end_within = lambda: arcade.exit.end_within(0.1)
program.main()
"""

STUCK_AT_A_SIGNAL = """
import threading
from arcade.exit import closing_on_signals
with closing_on_signals(lambda: None, seconds=0.1):
    print("ready", flush=True)
    stuck = threading.Lock()
    stuck.acquire()
    stuck.acquire()  # for ever
"""


def wait_for(condition: Callable[[], object], window: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + DEADLINE
    while not condition():
        assert window.poll() is None, f"the window ended with {window.returncode}"
        assert time.monotonic() < end, "nothing was recorded"
        time.sleep(0.05)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP"])
def test_a_signal_closes_the_window_and_its_recording(number: str, tmp_path: Path) -> None:
    dummy = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "ARCADE_HOME": str(tmp_path)}
    window = subprocess.Popen([sys.executable, "-m", "arcade", *PLAY], env={**os.environ, **dummy})

    def recorded() -> list[Path]:
        return [path for path in tmp_path.rglob("*.replay") if path.stat().st_size > 2000]

    try:
        wait_for(recorded, window)
        window.send_signal(getattr(signal, number))
        assert window.wait(DEADLINE) == 0
    finally:
        window.kill()
    (path,) = recorded()
    replay = read_replay(path)
    assert replay.result is not None
    assert replay.result["ended"] == "quit"


@pytest.mark.parametrize(("end", "status"), [("pass", 0), ("sys.exit(2)", 2), ("raise ValueError", 1)])
def test_a_stuck_job_does_not_keep_the_process(end: str, status: int) -> None:
    done = subprocess.run([sys.executable, "-c", STUCK.format(end=end)], timeout=DEADLINE, stderr=subprocess.DEVNULL)
    assert done.returncode == status


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_a_signal_ends_a_main_thread_that_is_stuck() -> None:
    with subprocess.Popen([sys.executable, "-c", STUCK_AT_A_SIGNAL], stdout=subprocess.PIPE) as stuck:
        assert stuck.stdout is not None
        stuck.stdout.readline()
        stuck.send_signal(signal.SIGTERM)
        try:
            assert stuck.wait(DEADLINE) == 128 + signal.SIGTERM
        finally:
            stuck.kill()
