"""Executors on one machine: this process, and child processes."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import wait

from arcade.match.batch.child import Child, Report
from arcade.match.batch.in_process import LocalMatches
from arcade.match.batch.plan import Chunk, Executor, Fixture, MatchPlan, Played, chunks_of
from arcade.match.batch.vectorised import VectorisedMatches

TRIAL_SECONDS = 0.5  # of play in this process, before it is decided whether children are worth their start
WORTH_SECONDS = 4.0  # of play still to come, from which on they are: each takes a second or so to start

_CHECK_SECONDS = 0.05  # between two checks of time limits


class Processes(Executor):
    """Children of this process, started when they are needed; with `count` 1 this process plays vectorised matches."""

    def __init__(self, plan: MatchPlan, count: int) -> None:
        super().__init__(plan)
        self._count = count
        self._children: list[Child] = []

    def play(self, fixtures: Sequence[Fixture]) -> Iterator[Played]:
        waiting = deque(chunks_of(self.plan, fixtures, workers=self._count))
        if self._count == 1:
            yield from self._play_here(waiting)
        try:
            self._hand_out(waiting)
            while any(child.is_busy for child in self._children):
                reports = list(self._reports())
                waiting += [Chunk((fixture,), False) for report in reports for fixture in report.left or ()]
                self._hand_out(waiting)  # before the caller takes its time with the outcomes
                for report in reports:
                    yield from report.played
        finally:
            for child in self._children:
                if child.is_busy:
                    child.close()

    def _play_here(self, waiting: deque[Chunk]) -> Iterator[Played]:
        while waiting and waiting[0].is_vectorised:
            together = VectorisedMatches(self.plan, waiting.popleft().fixtures)
            for played in together.play():
                yield from played
            waiting += [Chunk((fixture,), False) for fixture in together.left]

    def _hand_out(self, waiting: deque[Chunk]) -> None:
        while waiting:
            child = next((child for child in self._children if not child.is_busy), None)
            if child is None and len(self._children) == self._count:
                return
            if child is None:
                child = Child(self.plan)
                self._children.append(child)
            child.give(waiting.popleft())

    def _reports(self) -> Iterator[Report]:
        """The newest reports of the children; blocks until something is due."""
        busy = {child.pipe: child for child in self._children if child.is_busy}
        ready = wait(list(busy), timeout=_CHECK_SECONDS if self.plan.limits else None)
        for pipe, child in busy.items():
            report = child.take() if pipe in ready else child.check_time()
            if report is not None:
                yield report

    def close(self) -> None:
        for child in self._children:
            child.close()
        self._children = []


def play_in_order(matches: LocalMatches, fixtures: Sequence[Fixture], *, workers: int | None) -> Iterator[Played]:
    """Play fixtures, numbered from 0, one by one, and yield the outcomes in their order.

    One worker is this process, by `matches`.  With None this process begins, and where much is left hands it over to a
    child for each core.
    """
    done, began = 0, time.monotonic()
    while done < len(fixtures) and (
        workers == 1 or (workers is None and not _is_worth_it(time.monotonic() - began, done, len(fixtures)))
    ):
        yield matches.play(fixtures[done])
        done += 1
    if done < len(fixtures):
        matches.close()
        plan = replace(matches.plan, vectorise=False)
        with Processes(plan, min(workers or cores(), len(fixtures) - done)) as processes:
            yield from _in_order(processes.play(fixtures[done:]), done)


def _is_worth_it(seconds: float, done: int, total: int) -> bool:
    if not done or seconds < TRIAL_SECONDS or cores() < 2:
        return False
    return seconds / done * (total - done) >= WORTH_SECONDS


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _in_order(outcomes: Iterable[Played], first: int) -> Iterator[Played]:
    early: dict[int, Played] = {}
    for played in outcomes:
        early[played.fixture.number] = played
        while first in early:
            yield early.pop(first)
            first += 1
