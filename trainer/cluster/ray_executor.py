"""RayExecutor: many matches over a Ray cluster."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agents.errors import UserError
from arcade.match.batch.plan import Executor, Fixture, MatchPlan, Played, chunks_of
from arcade.match.batch.processes import Processes
from trainer.cluster.ray_cluster import OBJECT_STORE_BYTES, cores, join_ray, stop_ray

_MESSAGE_SECONDS = 0.5  # between two messages of a task
_RETRIES = 2  # of a chunk whose worker died
_SINGLE = 4  # matches in a chunk that are played one by one: a process takes a second to start


class ClusterError(UserError):
    """Workers of the cluster keep dying."""


class RayExecutor(Executor):
    """A Ray task for each chunk.  A chunk whose worker dies is played again, one match at a time.

    Joins the cluster at `address`, or for "" starts one on this machine; `count` is the number of parallel tasks, by
    default one for each core.  Raises ConfigError if the cluster cannot be joined.
    """

    def __init__(self, plan: MatchPlan, *, count: int | None = None, address: str = "") -> None:
        super().__init__(plan)
        join_ray(address, num_cpus=count or cores(), object_store_memory=OBJECT_STORE_BYTES)
        import ray

        self._count = count or max(1, int(ray.cluster_resources().get("CPU", 1)))

    def play(self, fixtures: Sequence[Fixture]) -> Iterator[Played]:
        import ray

        task = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(_play)
        plans = [ray.put(self.plan), ray.put(replace(self.plan, vectorise=False))]
        chunks = chunks_of(self.plan, fixtures, workers=self._count, single=_SINGLE)
        waiting = deque((0, {fixture.number: fixture for fixture in chunk.fixtures}) for chunk in chunks)
        running: dict[Any, tuple[int, dict[int, Fixture]]] = {}  # a task's stream to its attempt and open fixtures
        while waiting or running:
            while waiting and len(running) < self._count:
                attempt, left = waiting.popleft()
                running[task.remote(plans[min(attempt, 1)], list(left.values()))] = attempt, left
            stream: Any = ray.wait(list(running), num_returns=1)[0][0]
            attempt, left = running[stream]
            try:
                played: list[Played] = ray.get(next(stream))
            except StopIteration:
                del running[stream]
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError as error:  # a game or its library crashed, or memory ran out
                if attempt == _RETRIES:
                    raise ClusterError(f"expected workers to finish, got: {error}; resume with: --resume") from error
                del running[stream]
                waiting.append((attempt + 1, left))
            else:
                for one in played:
                    del left[one.fixture.number]
                yield from played

    def close(self) -> None:
        """Leave the cluster."""
        stop_ray()


def _play(plan: MatchPlan, fixtures: Sequence[Fixture]) -> Iterator[list[Played]]:
    """Play a chunk in a worker of the cluster; the outcomes come in few messages."""
    outcomes, sent = list[Played](), time.monotonic()
    with Processes(plan, 1) as processes:
        for played in processes.play(fixtures):
            outcomes.append(played)
            if time.monotonic() - sent > _MESSAGE_SECONDS:
                yield outcomes
                outcomes, sent = [], time.monotonic()
    if outcomes:
        yield outcomes
