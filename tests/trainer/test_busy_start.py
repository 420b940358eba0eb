"""Ray that does not start in its time, as on a busy computer, is started again."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import types
import ray._private.node as node
import ray._private.services as services
import psutil  # ray brings it along
from trainer.cluster.ray_cluster import is_ray_running, join_ray

late, find = int(sys.argv[1]), services.get_node
started = []

def get_node(address, id):
    if id not in started:
        started.append(id)
    if len(started) <= late:
        raise RuntimeError("not yet")
    return find(address, id)

hours = iter(range(0, 10**9, 3600))
services.get_node = get_node
time = {name: getattr(node.time, name) for name in dir(node.time)}
node.time = types.SimpleNamespace(**{**time, "monotonic": lambda: next(hours) if len(started) <= late else 0.0})
join_ray("", num_cpus=1, object_store_memory=80 * 2**20)
names = [child.name() for child in psutil.Process().children()]
print("runs", is_ray_running(), len(started), names.count("raylet"), names.count("gcs_server"))
"""


def test_a_start_that_takes_too_long_is_tried_again_and_leaves_no_process() -> None:
    command = [sys.executable, "-c", PROGRAM, "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert "runs True 2 1 1" in done.stdout, done.stderr
    assert "this computer is busy" in done.stderr
