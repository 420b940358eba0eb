"""Ray clusters of several nodes on this machine: ``python -m tests.support.two_nodes TRIAL HOME``.

`TRIALS` has the trials, each of which kills a node in the middle of its work; what became of that is printed as one
JSON object.  Each needs a process of its own.
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

from agents.seats.kinds import parse_seat
from arcade.games import find_game
from arcade.match.batch.plan import Fixture, MatchPlan
from tests.support.runs import close, make_run
from trainer.cluster.ray_executor import RayExecutor

STORE_BYTES = 96 * 2**20
ITERATIONS = 300  # at most, until the lost runner is back
MATCHES, MATCH_TICKS = 24, 400


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


def learn_elsewhere(home: Path) -> dict[str, Any]:
    """Env steps, and the nodes of this process, of the learner, and of the runner before and after the loss of its own.

    The learner has room on the second node alone, the runner at first on the third, which is lost.
    """
    settings = {
        "steps": 10**9, "training": {"batch": 512, "minibatch": 128}, "evaluation": {"steps": 0},
        "freeze": {"placement_games": 0},
        "resources": {"games": 8, "runners": 1, "cpus_per_runner": 3, "learners": 1, "cpus_per_learner": 2},
    }  # fmt: skip
    with two_nodes(first=1, second=2) as (cluster, _):
        third = cluster.add_node(num_cpus=3, object_store_memory=STORE_BYTES)
        run = make_run("house/volley", settings, home)
        group = run.algorithm.env_runner_group
        try:
            run._iterate()
            before, places = run.step, nodes_of(group)
            learner = run.algorithm.learner_group.foreach_learner(lambda _: ray.get_runtime_context().get_node_id())
            cluster.remove_node(third, allow_graceful=False)
            cluster.add_node(num_cpus=3, object_store_memory=STORE_BYTES)
            while not group.num_remote_worker_restarts() and run.iteration < ITERATIONS:
                run._iterate()
            run._iterate()
            here = ray.get_runtime_context().get_node_id()
            nodes = [here, *(found.get() for found in learner), *places, *nodes_of(group)]
            return {"steps": [before, run.step], "nodes": nodes}
        finally:
            close(run)


def lose_a_worker(home: Path) -> dict[str, Any]:
    """The numbers of the matches that two workers played, on a node each, and the processors in use before the loss."""
    players = tuple(map(parse_seat, ("random", "scripted")))
    plan = MatchPlan(spec=find_game("house/volley"), players=players, max_ticks=MATCH_TICKS)
    fixtures = [Fixture(number=number, seed=number, players=(0, 1)) for number in range(MATCHES)]
    with two_nodes(first=1, second=1) as (cluster, node):
        found, lost = [], False
        with RayExecutor(plan, count=2) as workers:
            for played in workers.play(fixtures):
                found.append(played.fixture.number)
                if not lost:
                    busy = ray.cluster_resources()["CPU"] - ray.available_resources().get("CPU", 0.0)
                    cluster.remove_node(node, allow_graceful=False)
                    lost = True
    return {"played": sorted(found), "busy": busy}


def nodes_of(group: Any) -> list[str]:
    """The node of each remote runner."""
    found: list[str] = group.foreach_env_runner(
        lambda runner: ray.get_runtime_context().get_node_id(), local_env_runner=False
    )
    return found


TRIALS = {"runner": lose_a_node, "learner": learn_elsewhere, "worker": lose_a_worker}

if __name__ == "__main__":
    print(json.dumps(TRIALS[sys.argv[1]](Path(sys.argv[2]))))
