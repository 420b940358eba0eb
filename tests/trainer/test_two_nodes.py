"""Runs and tournaments on a cluster of two nodes continue when a node is lost."""

import json
import os
import subprocess
import sys

LIMIT = 500.0


def trial(name, home):
    env = os.environ | {"ARCADE_HOME": str(home / "home")}
    command = [sys.executable, "-m", "tests.support.two_nodes", name, str(home)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_run_survives_the_loss_of_a_node(tmp_path):
    found = trial("runner", tmp_path)
    before, lost, after = found["steps"]
    assert 0 < before < lost < after
    assert found["nodes"] == 2  # a runner on each
    assert found["new"] == 1  # the lost runner is on the new node
    assert found["met"] == [["test-0000"], ["test-0000"]]  # and has its opponents again


def test_a_learner_on_another_node_continues_when_its_runner_is_lost(tmp_path):
    found = trial("learner", tmp_path)
    before, after = found["steps"]
    assert 0 < before < after
    assert len(set(found["nodes"])) == 4  # the trainer, its learner, and the runner on two nodes in turn


def test_a_tournament_plays_each_match_once_when_a_node_of_its_workers_is_lost(tmp_path):
    found = trial("worker", tmp_path)
    assert found["busy"] == 2  # a worker on each node
    assert found["played"] == list(range(24))
