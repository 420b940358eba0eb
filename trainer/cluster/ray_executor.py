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
from trainer.cluster.machine import cores
from trainer.cluster.ray_cluster import OBJECT_STORE_BYTES, cluster_resources, join_ray, stop_ray

_SECONDS_BETWEEN = 0.5  # messages of a task
_ATTEMPTS = 2  # more, of a chunk whose worker died
_SINGLE = 4  # matches a chunk that are played one by one: a process takes a second to start


class ClusterError(UserError):
    """Workers of the cluster keep dying."""


class RayExecutor(Executor):
    """A Ray task for each chunk.  A chunk that takes its worker down is played again, one match at a time.

    It joins the cluster at `address`, or with "" starts one on this machine; `count` is the number of tasks at once, by
    default one for each core.  Raises ConfigError where there is no such cluster.
    """

    def __init__(self, plan: MatchPlan, *, count: int | None = None, address: str = "") -> None:
        super().__init__(plan)
        join_ray(address, num_cpus=count or cores(), object_store_memory=OBJECT_STORE_BYTES)
        self._count = count or max(1, int(cluster_resources().get("CPU", 1)))

    def play(self, fixtures: Sequence[Fixture]) -> Iterator[Played]:
        import ray

        task = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(_play)
        plans = [ray.put(self.plan), ray.put(replace(self.plan, vectorise=False))]
        chunks = chunks_of(self.plan, fixtures, workers=self._count, single=_SINGLE)
        waiting = deque((0, list(chunk.fixtures)) for chunk in chunks)
        under_way: dict[Any, tuple[int, list[Fixture]]] = {}  # a task's stream to its attempt, and what it owes
        while waiting or under_way:
            while waiting and len(under_way) < self._count:
                attempt, owed = waiting.popleft()
                under_way[task.remote(plans[min(attempt, 1)], owed)] = attempt, owed
            streams: list[Any] = ray.wait(list(under_way), num_returns=1)[0]
            stream = streams[0]
            try:
                played: list[Played] = ray.get(next(stream))
            except StopIteration:
                del under_way[stream]
                continue
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError as error:  # a game or its library took the worker along, or memory ran out
                attempt, owed = under_way.pop(stream)
                if attempt == _ATTEMPTS:
                    raise ClusterError(f"expected a worker to live on, got: {error}; resume with: --resume") from error
                waiting.append((attempt + 1, owed))
                continue
            done = {one.fixture.number for one in played}
            attempt, owed = under_way[stream]
            under_way[stream] = attempt, [fixture for fixture in owed if fixture.number not in done]
            yield from played

    def close(self) -> None:
        """Leave the cluster."""
        stop_ray()


def _play(plan: MatchPlan, fixtures: Sequence[Fixture]) -> Iterator[list[Played]]:
    """The outcomes of a chunk in a worker of the cluster, in few messages."""
    outcomes, sent = list[Played](), time.monotonic()
    with Processes(plan, 1) as processes:
        for played in processes.play(fixtures):
            outcomes.append(played)
            if time.monotonic() - sent > _SECONDS_BETWEEN:
                yield outcomes
                outcomes, sent = [], time.monotonic()
    if outcomes:
        yield outcomes
