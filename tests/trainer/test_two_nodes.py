"""A run on a cluster of two nodes goes on when one of them is lost."""

import json
import os
import subprocess
import sys

LIMIT = 500.0


def test_a_run_survives_the_loss_of_a_node(tmp_path):
    env = os.environ | {"ARCADE_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "tests.support.two_nodes", str(tmp_path)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    before, lost, after = found["steps"]
    assert 0 < before < lost < after
    assert found["nodes"] == 2  # a runner on each
    assert found["new"] == 1  # the lost runner is on the new node
    assert found["met"] == [["test-0000"], ["test-0000"]]  # and has its opponents again
