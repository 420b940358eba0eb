"""A Ray cluster of two nodes on this machine, in a process of its own: ``python -m tests.support.two_nodes HOME``.

The program trains with a runner on either node, kills the second node in mid-run, brings another one, and prints as one
JSON object what became of the run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.update(RAY_AUTH_MODE="disabled", RAY_ADDRESS="", RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0")

import ray
from ray.cluster_utils import Cluster

from tests.support.runs import close, make_run

STORE_BYTES = 96 * 2**20
ITERATIONS = 300  # at most, until the lost runner is back


@contextmanager
def two_nodes(*, first: int, second: int) -> Iterator[tuple[Any, Any]]:
    """The cluster, which this process has joined, and its second node; each with so many processors."""
    usual = {"include_dashboard": False, "object_store_memory": STORE_BYTES}
    cluster: Any = Cluster(initialize_head=True, head_node_args=usual | {"num_cpus": first})
    try:
        node = cluster.add_node(num_cpus=second, object_store_memory=STORE_BYTES)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield cluster, node
    finally:
        ray.shutdown()
        cluster.shutdown()


def lose_a_node(home: Path) -> dict[str, Any]:
    """Env steps before and after the loss, and the nodes of the runners."""
    settings = {
        "steps": 10**9, "training": {"batch": 512, "minibatch": 128}, "evaluation": {"steps": 0},
        "freeze": {"placement_games": 0}, "resources": {"games": 8, "runners": 2, "cpus_per_runner": 2},
    }  # fmt: skip
    with two_nodes(first=3, second=2) as (cluster, node):
        run = make_run("house/volley", settings, home)
        group = run.algorithm.env_runner_group
        try:
            run._freeze(run.lineages[0], "start")
            run._iterate()
            before, places = run.step, nodes_of(group)
            cluster.remove_node(node, allow_graceful=False)
            cluster.add_node(num_cpus=2, object_store_memory=STORE_BYTES)
            while not group.num_remote_worker_restarts() and run.iteration < ITERATIONS:
                run._iterate()
            lost = run.step
            run._iterate()
            met = group.foreach_env_runner(lambda runner: list(runner.opponents.snapshots), local_env_runner=False)
            new = set(nodes_of(group)) - set(places)
            return {"steps": [before, lost, run.step], "nodes": len(set(places)), "new": len(new), "met": met}
        finally:
            close(run)


def nodes_of(group: Any) -> list[str]:
    """The node of each remote runner."""
    found: list[str] = group.foreach_env_runner(
        lambda runner: ray.get_runtime_context().get_node_id(), local_env_runner=False
    )
    return found


if __name__ == "__main__":
    print(json.dumps(lose_a_node(Path(sys.argv[1]))))
