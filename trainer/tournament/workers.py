"""Chunks over all cores, or over a cluster, by Ray; in this process where one worker is enough."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from arcade.tournaments.plan import Fixture, TournamentError
from arcade.tournaments.rows import Row
from arcade.tournaments.table import Table
from trainer.cluster.machine import cores
from trainer.cluster.ray_cluster import OBJECT_STORE_BYTES, cluster_resources, join_ray, stop_ray
from trainer.tournament.chunks import Chunk, play_alone, play_chunk

_SECONDS_BETWEEN = 0.5  # messages of a task
_ATTEMPTS = 2  # more, of a chunk whose worker died


class Workers(ABC):
    """Plays chunks; `close` leaves what is under way."""

    count: int  # that play at once

    @abstractmethod
    def play(self, table: Table, chunks: Sequence[Chunk]) -> Iterator[list[Row]]:
        """The rows of the chunks, as they come."""

    def close(self) -> None:  # noqa: B027
        """Free them; twice does no harm."""


class OwnProcess(Workers):
    """This process plays."""

    count = 1

    def play(self, table: Table, chunks: Sequence[Chunk]) -> Iterator[list[Row]]:
        for chunk in chunks:
            yield from play_chunk(table, chunk)


class RayWorkers(Workers):
    """A Ray task a chunk, by a Ray that is there and is left at the end.

    A chunk that takes its worker down is played again, one match at a time.
    """

    def __init__(self, count: int) -> None:
        self.count = count

    def play(self, table: Table, chunks: Sequence[Chunk]) -> Iterator[list[Row]]:
        import ray

        tasks = [ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(how) for how in (_together, _alone)]
        shared, waiting = ray.put(table), deque((0, list(chunk)) for chunk in chunks)
        under_way: dict[Any, tuple[int, list[Fixture]]] = {}  # a task's stream to which try it is, and what it owes
        while waiting or under_way:
            while waiting and len(under_way) < self.count:
                attempt, chunk = waiting.popleft()
                under_way[tasks[min(attempt, 1)].remote(shared, chunk)] = attempt, chunk
            streams: list[Any] = ray.wait(list(under_way), num_returns=1)[0]
            stream = streams[0]
            try:
                rows: list[Row] = ray.get(next(stream))
            except StopIteration:
                del under_way[stream]
                continue
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError as error:  # a game or its library took the worker along, or memory ran out
                attempt, owed = under_way.pop(stream)
                if attempt == _ATTEMPTS:
                    raise TournamentError(
                        f"expected a worker to live on, got: {error}; go on with: --resume"
                    ) from error
                waiting.append((attempt + 1, owed))
                continue
            told = {row["settings"]["tournament"]["number"] for row in rows}
            attempt, owed = under_way[stream]
            under_way[stream] = attempt, [fixture for fixture in owed if fixture.number not in told]
            yield rows

    def close(self) -> None:
        stop_ray()


def _together(table: Table, chunk: Chunk) -> Iterator[list[Row]]:
    yield from _now_and_then(play_chunk(table, chunk))


def _alone(table: Table, chunk: Chunk) -> Iterator[list[Row]]:
    yield from _now_and_then(play_alone(table, chunk))


def _now_and_then(played: Iterator[list[Row]]) -> Iterator[list[Row]]:
    """The same rows in fewer messages."""
    rows, sent = list[Row](), time.monotonic()
    for more in played:
        rows += more
        if time.monotonic() - sent > _SECONDS_BETWEEN:
            yield rows
            rows, sent = [], time.monotonic()
    if rows:
        yield rows


def make_workers(*, count: int | None, address: str, small: bool = False) -> Workers:
    """`count` of them, or one for each core of this machine, or of the cluster at `address` (or RAY_ADDRESS); one on
    this machine is this process, and so is a `small` round where nothing is asked for: Ray takes seconds to start.

    Raises ConfigError where there is no such cluster.
    """
    address = address or os.environ.get("RAY_ADDRESS", "")
    if not address and (count or (1 if small else cores())) == 1:
        return OwnProcess()
    join_ray(address, num_cpus=count or cores(), object_store_memory=OBJECT_STORE_BYTES)
    return RayWorkers(count or max(1, int(cluster_resources().get("CPU", 1))))
