"""What a run shows: one screen in a terminal, plain lines where the output is piped."""

import io
import os
import pty
import subprocess
import sys
from types import SimpleNamespace

import pytest
from rich.console import Console

from agents.wire.trainer_events import Metrics
from trainer.runs import launch
from trainer.runs.control import RunPublisher
from trainer.runs.progress import Progress

METRICS = {"step": 3_000, "iteration": 3, "steps_per_second": 50.0, "win_rate": 0.625, "entropy": 1.2345}
POOLS = {
    "main": [
        {"name": "run-0000", "games": 12, "win_rate": 0.75, "rating": 26.0, "sigma": 1.0},
        {"name": "run-0001", "games": 0, "win_rate": 0.5, "rating": None, "sigma": None},
    ]
}


def shown(console, pools=POOLS, **how):
    with Progress("Volley  run", console=console, **how) as progress:
        progress.begin(1_000)
        progress.show(METRICS, lambda: pools, state="running")
        progress.show(METRICS | {"step": 3_100}, lambda: pools, state="running")
        progress.say("frozen run-0002")
    return console.file.getvalue()


def test_a_terminal_shows_one_screen():
    text = shown(Console(file=io.StringIO(), force_terminal=True, width=100), target=7_000)
    facts = ("Volley  run   running", "2,000 of 7,000", "0:01:40", "win rate", "0.625", "run-0000", "75%", "1529 ± 58")
    for words in facts:
        assert words in text, words
    assert "run-0001" not in text  # nobody met it yet
    assert "frozen run-0002" in text


def test_each_policy_has_its_table():
    pools = {"left": POOLS["main"], "right": POOLS["main"]}
    text = shown(Console(file=io.StringIO(), force_terminal=True, width=100), pools)
    assert "left against" in text
    assert "right against" in text
    assert " of " not in text


def test_a_pipe_gets_plain_lines_now_and_then():
    asked = []
    console = Console(file=io.StringIO(), width=40)
    with Progress("Volley  run", console=console, target=7_000) as progress:
        for _ in range(3):
            progress.show(METRICS, lambda: asked.append(1), state="running")
    lines = console.file.getvalue().splitlines()
    assert lines == [
        "running  step 3,000  iteration 3  steps_per_second 50  win_rate 0.625  entropy 1.23  left 0:01:20"
    ]
    assert not asked


@pytest.mark.parametrize("speed", [0.0, None])
def test_without_a_speed_there_is_no_time_left(speed):
    progress = Progress("x", console=Console(file=io.StringIO()), target=10)
    assert progress._left({"step": 1} if speed is None else {"step": 1, "steps_per_second": speed}) == ""


PROGRAM = """
from agents.wire.trainer_events import Metrics
from trainer.runs.control import RunPublisher
from trainer.runs.progress import Progress
with Progress("Volley  run", target=10) as progress:
    progress.show({"step": 5, "win_rate": 0.5}, dict, state="running")
    progress.say("frozen run-0001")
"""


def test_the_kind_of_output_decides():
    command = [sys.executable, "-c", PROGRAM]
    piped = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert piped.stdout.splitlines() == ["running  step 5  win_rate 0.5", "frozen run-0001"]
    leader, follower = pty.openpty()
    env = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    subprocess.run(command, stdout=follower, stderr=follower, check=True, timeout=300, env=env)
    os.close(follower)
    screen = os.read(leader, 65536).decode()
    os.close(leader)
    assert "5 of 10" in screen
    assert "Ctrl+C stops" in screen
    assert "\x1b[" in screen


def test_a_measurement_between_two_events_is_published_with_the_next():
    sent: list[object] = []
    server, pools = SimpleNamespace(publish=sent.append, events=""), SimpleNamespace(table=dict)
    publisher = RunPublisher(server, pools, [], run="run-1", game="house/volley")
    publisher.measured({"win_rate_random": 0.5})
    publisher.metrics({"step": 100})
    publisher.metrics({"step": 200})
    figures = [getattr(event, "win_rate_random", None) for event in sent if isinstance(event, Metrics)]
    assert figures == [0.5, None]


def test_a_caller_that_wants_no_progress_still_prints(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")  # as in a terminal
    with launch.show_nothing(None) as progress:
        progress.say("nothing")
        print("of the caller")
    assert capsys.readouterr().out == "of the caller\n"
