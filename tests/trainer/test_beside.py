"""A trainer beside the arcade: one a run, ended with the window however that ends, and nothing left behind."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from agents.run_lock import RunBusy, RunLock, holder
from arcade.session.trainer_process import NICE, OwnTrainer, TrainerProcess
from trainer.config.reading import make_config, write_config

DEADLINE = 300.0
RUN = "beside-house-volley"
SETTINGS = {
    "game": "house/volley", "run": RUN, "evaluation": {"steps": 0}, "resources": {"games": 8},
    "training": {"batch": 512, "minibatch": 256}, "freeze": {"save_steps": 0, "win_rate": 0},
}  # fmt: skip


def wait_for(condition, what):
    end = time.monotonic() + DEADLINE
    while not (value := condition()):
        assert time.monotonic() < end, f"expected {what} within {DEADLINE} s"
        time.sleep(0.05)
    return value


def stat_of(pid):
    """State letter and parent, None for none."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            state, parent = file.read().rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return state, int(parent)


def is_alive(pid):
    found = stat_of(pid)
    return found is not None and found[0] != "Z"


def descendants(pid):
    own = [int(path) for path in os.listdir("/proc") if path.isdecimal() and (stat_of(path) or ("", 0))[1] == pid]
    return own + [later for child in own for later in descendants(child)]


def weight_of(pid):
    """The process's priority, and that of its session where Linux weighs sessions."""
    try:
        with open(f"/proc/{pid}/autogroup") as file:
            session = file.read().strip().partition(" ")[2]
    except OSError:
        session = ""
    return os.getpriority(os.PRIO_PROCESS, pid), session


def is_guard(pid):
    """Whether a process only waits, in a session of its own, to end the agents of the cluster."""
    with open(f"/proc/{pid}/cmdline") as file:
        return "guard_program" in file.read()


def has_raylet(pid):
    def name_of(child):
        try:
            with open(f"/proc/{child}/comm") as file:
                return file.read().strip()
        except OSError:
            return ""

    return any(name_of(child) == "raylet" for child in descendants(pid))


@pytest.fixture
def small_run(arcade_home, monkeypatch):
    """A run whose iterations are short, for the companion to go on with."""
    monkeypatch.setattr("arcade.session.trainer_process.STOP_LIMIT", DEADLINE)
    folder = arcade_home / "runs" / RUN
    folder.mkdir(parents=True)
    write_config(folder / "config.toml", make_config(SETTINGS))
    return folder


def test_a_run_has_one_trainer_at_a_time_and_a_kill_frees_it(tmp_path):
    run = tmp_path / "run"
    assert holder(run) == 0
    program = "import sys, time; from pathlib import Path; from agents.run_lock import RunLock\n"
    program += "lock = RunLock(Path(sys.argv[1])); print('taken', flush=True); time.sleep(600)"
    other = subprocess.Popen([sys.executable, "-c", program, str(run)], stdout=subprocess.PIPE)
    try:
        assert other.stdout.readline() == b"taken\n"
        assert holder(run) == other.pid
        with pytest.raises(RunBusy, match=f"'run', which process {other.pid} trains"):
            RunLock(run)
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
    assert holder(run) == 0
    lock = RunLock(run)
    assert holder(run) == os.getpid()
    lock.close()
    assert holder(run) == 0


def test_a_run_of_the_first_version_is_put_aside(small_run, monkeypatch):
    (small_run / "config.toml").write_text('game = "house/volley"\n')
    begun = []
    monkeypatch.setattr(OwnTrainer, "__init__", lambda self, words, log, nice: begun.append((*words, nice)))
    TrainerProcess("house/volley")
    assert begun[0][:3] == ("house/volley", "--run", RUN)
    assert begun[0][-3:] == ("--nice", str(NICE), NICE)
    assert not small_run.exists()
    assert (small_run.parent / f"{RUN}-0.1.0/config.toml").exists()


def test_a_second_trainer_of_a_run_is_refused_before_anything_starts(small_run, capsys):
    from trainer.command import main

    lock = RunLock(small_run)
    assert main(["--resume", RUN]) == 2
    assert f"{RUN!r}, which process {os.getpid()} trains;" in capsys.readouterr().err
    lock.close()


def test_without_its_packages_it_says_what_brings_them(arcade_home):
    program = """
import runpy, sys
from importlib.machinery import PathFinder
class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, *args):
        return None if name in ("ray", "torch", "onnx", "tensorboardX") else super().find_spec(name, *args)
sys.meta_path[:] = [Without if finder is PathFinder else finder for finder in sys.meta_path]
sys.argv = ["trainer", *sys.argv[1:]]
runpy.run_module("trainer", run_name="__main__")
"""
    run = [sys.executable, "-c", program]
    refused = subprocess.run([*run, "house/volley"], capture_output=True, text=True, timeout=DEADLINE)
    assert refused.returncode == 4
    assert "pip install 'pettingzoo-arcade[train]'" in refused.stderr
    assert "Traceback" not in refused.stderr
    helped = subprocess.run([*run, "--help"], capture_output=True, text=True, timeout=DEADLINE)
    assert helped.returncode == 0
    assert "--resume" in helped.stdout


def test_it_outlives_a_second_window_and_ends_with_the_first_that_is_killed(small_run, capsys):
    program = "import time; from arcade.session.trainer_process import TrainerProcess\n"
    program += "TrainerProcess('house/volley', nice=1); time.sleep(600)"
    window = subprocess.Popen([sys.executable, "-c", program])
    try:
        wait_for((small_run / "endpoints.json").exists, "a trainer that runs")
        trainer = json.loads((small_run / "endpoints.json").read_text())["pid"]
        with TrainerProcess("house/volley") as second:
            assert not second.running
            assert f"already runs (process {trainer})" in capsys.readouterr().err
        wait_for((small_run / "metrics.jsonl").exists, "a first iteration")
        assert is_alive(trainer)
        cluster = [trainer, *descendants(trainer)]
        assert len(cluster) > 1
        own, sessions = zip(*(weight_of(pid) for pid in cluster if not is_guard(pid)), strict=True)
        assert min(own) == 1
        assert set(sessions) <= {"nice 1", ""}
    finally:
        window.kill()
        window.wait()
    wait_for(lambda: not any(is_alive(pid) for pid in cluster), "the trainer's end")
    saved = max((small_run / "checkpoints").glob("*/state.json")).read_text()
    assert json.loads(saved)["step"] == json.loads((small_run / "metrics.jsonl").read_text().splitlines()[-1])["step"]
    assert not (small_run / "endpoints.json").exists()


@pytest.mark.parametrize("moment", ["at once", "before ray", "amid ray's start"])
def test_a_window_closed_while_the_trainer_starts_leaves_nothing_behind(moment, small_run, capfd):
    companion = TrainerProcess("house/volley", nice=1)
    pid = companion._process.pid
    if moment == "before ray":
        wait_for(lambda: "training house/volley" in companion.log.read_text(), "the trainer's first line")
    elif moment == "amid ray's start":
        wait_for(lambda: has_raylet(pid), "a raylet")
    cluster = [pid, *descendants(pid)]
    companion.close()
    assert not companion.running
    wait_for(lambda: not any(is_alive(pid) for pid in cluster), "the end of ray's processes")
    assert "was killed" not in capfd.readouterr().err
    assert companion._process.returncode in (0, -signal.SIGTERM), companion.log.read_text()
    assert holder(small_run) == 0


def test_a_trainer_that_ends_by_itself_is_told_of(small_run, tmp_path, monkeypatch, capfd):
    (tmp_path / "trainer").mkdir()
    (tmp_path / "trainer" / "__init__.py").touch()
    (tmp_path / "trainer" / "__main__.py").write_text("raise SystemExit('out of paper')")
    monkeypatch.chdir(tmp_path)
    with TrainerProcess("house/volley") as companion:
        said = []
        wait_for(lambda: said.append(capfd.readouterr().err) or "failed with status" in "".join(said), "a line")
        assert stat_of(companion._process.pid) is None  # reaped: whoever looks sees that it does not live
        assert "out of paper" in companion.log.read_text()


def test_a_signal_that_another_handler_swallows_stops_the_run_before_it_begins(small_run, monkeypatch):
    from trainer.runs import launch
    from trainer.runs.choice import choose_run
    from trainer.runs.stopping import StoppedEarly

    def start_and_swallow(config, *, trials):
        signal.signal(signal.SIGTERM, lambda *_: None)  # as ray's SystemExit is lost inside a callback
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(launch, "start_ray", start_and_swallow)
    with pytest.raises(StoppedEarly):
        launch.play(choose_run(resume=RUN), show=launch.show_nothing)
