"""A trainer as a process of its own: orders over the wire, killed and resumed, stopped with its parent."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agents.wire.control import ControlClient
from tests.support.event_log import EventLog
from tests.support.processes import DEADLINE, descendants, is_alive, wait_for

SMALL = "resources.games=8 training.batch=512 training.minibatch=256 evaluation.steps=0"
QUIET = "freeze.save_steps=0 freeze.win_rate=0 freeze.placement_games=2"
SETTINGS = [word for setting in f"{SMALL} {QUIET}".split() for word in ("--set", setting)]


def start(home, *words):
    env = os.environ | {"ARCADE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    log = (home / "log.txt").open("a")
    return subprocess.Popen([sys.executable, "-m", "trainer", *words], env=env, stdout=log, stderr=log)


def endpoints_of(home, run, child):
    path = home / "runs" / run / "endpoints.json"

    def read():
        data = json.loads(path.read_text()) if path.exists() else {}
        return data if data.get("pid") == child.pid else None

    return wait_for(read, child, "endpoints.json")


def name_of(pid):
    with open(f"/proc/{pid}/comm") as file:
        return file.read().strip()


def read_snapshots(home):
    return {path: path.read_bytes() for path in (home / "snapshots").rglob("*") if path.is_file()}


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("ARCADE_HOME", str(folder))  # the keys of the children are ours
    return folder


@pytest.fixture
def children():
    started = []
    yield started
    for child in started:
        if child.poll() is None:
            child.kill()
            child.wait()


def test_orders_over_the_wire_then_a_kill_and_a_resume(home, children):
    child = start(home, "house/volley", "--run", "one", *SETTINGS)
    children.append(child)
    endpoints = endpoints_of(home, "one", child)
    with ControlClient(endpoints["control"]) as control, EventLog(endpoints["events"]) as log:
        log.next("metrics")
        assert control.call("pause", timeout=DEADLINE)["asked"] == "paused"
        log.next("status", state="paused")
        step = control.call("status", timeout=DEADLINE)["step"]
        control.call("freeze", timeout=DEADLINE)
        frozen = log.next("snapshot_frozen")
        assert (frozen["name"], frozen["game"], frozen["step"]) == ("one-0001", "house/volley", step)
        wait_for(lambda: (home / "runs/one/checkpoints/00000001/state.json").exists(), child, "a checkpoint")
        assert control.call("status", timeout=DEADLINE) | {"step": step} == control.call("status", timeout=DEADLINE)
        control.call("resume", timeout=DEADLINE)
        log.next("status", state="running")
        log.next("metrics")
    before = read_snapshots(home)
    cluster = descendants(child.pid)
    assert {"raylet", "gcs_server", "ray::DashboardA"} <= {name_of(pid) for pid in cluster}
    child.kill()
    child.wait()
    wait_for(lambda: not any(is_alive(pid) for pid in cluster), what="the end of ray's processes")
    for how_to_stop in (stop_by_control, stop_by_signal):
        child = start(home, "--resume", "one")
        children.append(child)
        step = check_resumed(home, child, how_to_stop, step=step)
        assert read_snapshots(home) == before
    lines = [json.loads(line)["step"] for line in (home / "runs/one/metrics.jsonl").read_text().splitlines()]
    assert lines == sorted(set(lines))
    assert lines[-1] == step


def check_resumed(home, child, how_to_stop, *, step):
    """It goes on after `step`, stops cleanly and leaves a checkpoint; returns that one's step."""
    endpoints = endpoints_of(home, "one", child)
    with ControlClient(endpoints["control"]) as control, EventLog(endpoints["events"]) as log:
        state = control.call("status", timeout=DEADLINE)
        assert (state["run"], state["game"]) == ("one", "house/volley")
        assert log.next("metrics")["step"] > step
        helpers = descendants(child.pid)
        how_to_stop(child, control)
    assert child.wait(DEADLINE) == 0
    wait_for(lambda: not any(is_alive(pid) for pid in helpers), what="the end of ray's processes")
    assert not (home / "runs/one/endpoints.json").exists()
    newest = max((home / "runs/one/checkpoints").iterdir())
    saved = json.loads((newest / "state.json").read_text())
    assert saved["lineages"]["main"]["names"] == ["one-0000", "one-0001"]
    return saved["step"]


def test_a_kill_amid_a_checkpoint_loses_nothing_before_it(home, children):
    often = [
        "--set",
        "checkpoints.seconds=0.001",
        "--set",
        "checkpoints.keep_best=0",
        "--set",
        "freeze.save_steps=1024",
    ]
    child = start(home, "house/volley", "--run", "one", *SETTINGS, *often)
    children.append(child)
    folder = home / "runs/one/checkpoints"
    wait_for((home / "snapshots/one-0002").exists, child, "three snapshots")
    wait_for(lambda: list(folder.glob(".*.part")), child, "a checkpoint half written")
    child.kill()
    child.wait()
    before = read_snapshots(home)
    saved = json.loads((max(folder.glob("[0-9]*")) / "state.json").read_text())["step"]
    child = start(home, "--resume", "one", "--steps", str(saved + 1024))
    children.append(child)
    assert child.wait(DEADLINE) == 0, (home / "log.txt").read_text()
    assert read_snapshots(home).items() >= before.items()
    lines = [json.loads(line) for line in (home / "runs/one/metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == list(range(512, saved + 1025, 512))
    assert [line["iteration"] for line in lines] == list(range(1, len(lines) + 1))
    manifest = json.loads((home / "runs/one/manifest.json").read_text())
    assert ["ended" in session for session in manifest["sessions"]] == [False, True]
    names = {path.parent.name for path in (home / "snapshots").glob("*/card.json")}
    assert {snapshot["name"] for snapshot in manifest["snapshots"]} == names
    assert not list(folder.glob(".*.part"))


def stop_by_control(_child, control):
    assert control.call("stop", timeout=DEADLINE)["asked"] == "stopped"


def stop_by_signal(child, _control):
    child.send_signal(signal.SIGTERM)


def test_it_stops_in_the_middle_of_an_iteration_of_many_minutes(home, children):
    long = ["--set", "training.batch=400000", "--set", "resources.runners=1"]
    child = start(home, "sisl/multiwalker_v9", "--run", "long", *SETTINGS, *long)
    children.append(child)
    folder = home / "runs/long/checkpoints"
    wait_for(lambda: list(folder.glob("*/state.json")), child, "the checkpoint of the first freeze")
    wait_for(lambda: any(is_sampling(pid) for pid in descendants(child.pid)), child, "a runner at work")
    child.send_signal(signal.SIGINT)
    assert child.wait(DEADLINE) == 0
    text = (home / "log.txt").read_text()
    assert "the iteration took too long to be waited for" in text
    assert "ERROR" not in text
    assert list(folder.glob("*/state.json"))  # a second one only where anything has changed


def is_sampling(pid):
    """Ray names its workers after the call that they are busy with."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::SelfPlayRunner.apply")
    except OSError:
        return False


def test_it_stops_with_its_parent_and_writes_a_checkpoint(home, children):
    words = [sys.executable, "-m", "trainer", "house/volley", "--run", "two", "--stop-with-parent", *SETTINGS]
    program = f"import subprocess, time; print(subprocess.Popen({words!r}).pid, flush=True); time.sleep(600)"
    env = os.environ | {"ARCADE_HOME": str(home)}
    log = (home / "log.txt").open("a")
    parent = subprocess.Popen([sys.executable, "-c", program], env=env, stdout=subprocess.PIPE, stderr=log)
    children.append(parent)
    trainer = int(parent.stdout.readline())
    try:
        wait_for(lambda: (home / "runs/two/endpoints.json").exists(), parent, "endpoints.json")
        helpers = [trainer, *descendants(trainer)]
        parent.kill()
        parent.wait()
        parent.stdout.close()
        wait_for(lambda: not any(is_alive(pid) for pid in helpers), what="the trainer's end")
    finally:
        if is_alive(trainer):
            os.kill(trainer, signal.SIGKILL)
    assert list((home / "runs/two/checkpoints").glob("*/state.json"))
    assert not (home / "runs/two/endpoints.json").exists()
