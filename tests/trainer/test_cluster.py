"""A run on a cluster that somebody else started, whose nodes know nothing of this machine's folders."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile

import pytest

from tests.support.processes import descendants, is_alive, wait_for
from trainer.cluster.ray_cluster import own_cluster
from trainer.config.reading import make_config

LIMIT = 300.0
OPEN = {"RAY_AUTH_MODE": "disabled", "RAY_ADDRESS": ""}
SETTINGS = (
    "resources.runners=1 resources.games=8 training.batch=512 training.minibatch=256 evaluation.steps=0 "
    "freeze.save_steps=512 freeze.placement_games=0 opponents.play_against_latest_model_ratio=0 wrappers.max_ticks=32"
)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def cluster(tmp_path):
    """Its address; its processes have another ARCADE_HOME, in which nothing may appear."""
    port = free_port()
    env = os.environ | OPEN | {"ARCADE_HOME": str(tmp_path / "elsewhere")}
    with tempfile.TemporaryDirectory(prefix="ray-") as short:  # sockets have short names
        words = ["start", "--head", "--block", f"--port={port}", "--num-cpus=1", f"--temp-dir={short}"]
        words += ["--include-dashboard=false", "--disable-usage-stats"]
        words += [f"--object-store-memory={96 * 2**20}", f"--ray-client-server-port={free_port()}"]
        log = (tmp_path / "cluster.txt").open("w")
        head = subprocess.Popen([sys.executable, "-m", "ray.scripts.scripts", *words], env=env, stdout=log, stderr=log)
        try:
            wait_for(lambda: "started" in (tmp_path / "cluster.txt").read_text(), head, "a cluster")
            yield f"127.0.0.1:{port}"
        finally:
            processes = [head.pid, *descendants(head.pid)]
            head.send_signal(signal.SIGTERM)
            head.wait()
            for pid in processes:
                if is_alive(pid):
                    os.kill(pid, signal.SIGKILL)
            log.close()


def run_trainer(home, *words):
    env = os.environ | OPEN | {"ARCADE_HOME": str(home)}
    command = [sys.executable, "-m", "trainer", *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=LIMIT)


def test_a_run_on_a_cluster_sends_its_opponents_to_the_runners(cluster, tmp_path):
    home = tmp_path / "home"
    words = ["house/volley", "--run", "far", "--steps", "1536", "--ray-address", cluster]
    words += [word for setting in SETTINGS.split() for word in ("--set", setting)]
    too_many = run_trainer(home, *words, "--set", "resources.runners=3", "--dry-run")
    assert too_many.returncode == 2
    assert f"resources.cpus_per_runner: expected at most 1 processors of the cluster at {cluster}" in too_many.stderr
    done = run_trainer(home, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((home / "runs/far/manifest.json").read_text())["results"]
    assert results["step"] == 1536
    assert {"far-0000", "far-0001"} <= results["win_rates"].keys()  # the runner met what was frozen here
    assert not (tmp_path / "elsewhere").exists()


def test_no_cluster_at_an_address_is_said(arcade_home):
    done = run_trainer(arcade_home, "house/volley", "--ray-address", f"127.0.0.1:{free_port()}", "--steps", "1")
    assert done.returncode == 2
    assert "resources.ray_address: expected a ray cluster at 127.0.0.1" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("resources", "trials", "cpus"),
    [
        ({}, 1, 1),
        ({"runners": 3}, 1, 4),
        ({"runners": 3, "cpus_per_runner": 0.5, "learners": 2}, 1, 5),
        ({"learners": 4, "cpus_per_learner": 0, "gpus_per_learner": 1}, 1, 1),
        ({"runners": 1}, 3, 6),
    ],
)
def test_a_cluster_of_its_own_has_room_for_all_that_is_asked(resources, trials, cpus):
    run = make_config({"game": "house/volley", "resources": {"games": 8} | resources})
    assert own_cluster(run, trials)["num_cpus"] == cpus
