"""Executors on one machine: this process, and child processes that may crash, stall or be killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess, parent_process
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.platform import system
from agents.platform.children import follow, on_lasting_thread
from arcade.match.batch.guarded import NO_SEAT, Clock, GuardedMatches
from arcade.match.batch.in_process import LocalMatches
from arcade.match.batch.plan import Chunk, Executor, Fixture, MatchPlan, Played, chunks_of
from arcade.match.batch.vectorised import VectorisedMatches

START_SECONDS = 120.0
"""Time for a process to be ready; a busy machine is slow."""

TRIAL_SECONDS = 0.5  # of play in this process, before it is decided whether children are worth their start
WORTH_SECONDS = 4.0  # of play left, from which on they are: each starts in a second or so

_CHECK_SECONDS = 0.05  # between two checks of time limits
_SECONDS_BETWEEN = 0.2  # messages of a vectorised chunk


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


@dataclass(frozen=True, slots=True)
class Report:
    """A message of a child: outcomes, and at the end of a chunk the fixtures that are to be played one by one."""

    played: list[Played]
    left: list[Fixture] | None = None  # None: the chunk continues


class Child:
    """The process, seen from its parent.  It is started with its first chunk, and again after it died."""

    def __init__(self, plan: MatchPlan) -> None:
        self._plan = plan
        self._context = multiprocessing.get_context("spawn")  # a fork would share locks and sockets with this process
        self._cells = self._context.RawArray("d", 3 + len(plan.spec.agents))  # see Clock
        self._clock = Clock(self._cells)
        self._process: BaseProcess | None = None
        self._chunk: Chunk | None = None
        self._owed: dict[int, Fixture] = {}  # of the chunk, by number
        self.pipe: Connection

    @property
    def is_busy(self) -> bool:
        return self._chunk is not None

    def give(self, chunk: Chunk) -> None:
        """Play the chunk; its reports come by `take`."""
        is_new = self._process is None or not self._process.is_alive()
        if is_new:
            self.close()
            self._start()
        self._chunk, self._owed = chunk, {fixture.number: fixture for fixture in chunk.fixtures}
        self._clock.begin(after=START_SECONDS if is_new else 0.0)
        with suppress(OSError):  # it has died since: the end of its pipe says so
            self.pipe.send(chunk)

    def take(self) -> Report:
        """The next report of its chunk; of a process that has died, its end."""
        assert self._chunk is not None
        try:
            report: Report = self.pipe.recv()
        except (EOFError, OSError):
            return self._died()
        for played in report.played:
            del self._owed[played.fixture.number]
        if report.left is not None:
            self._chunk = None
        return report

    def check_time(self) -> Report | None:
        """The report of a match with a player that takes too long, whose process is killed; None in time."""
        limits = self._plan.limits
        if limits is None or self._chunk is None or self._chunk.is_vectorised:
            return None
        seat, since = self._clock.asked
        if seat != NO_SEAT and since > limits.move_seconds:
            return self._failed(f"expected an answer within {limits.move_seconds:g} s, got nothing", seat)
        seconds = self._clock.elapsed
        if seconds <= limits.match_seconds:
            return None
        why = f"expected the match to end within {limits.match_seconds:g} s, got no end"
        slowest, thought = self._clock.slowest
        if thought < seconds / (1 + len(self._plan.spec.agents)):
            return self._failed(f"{why}; the game itself took the time", NO_SEAT)
        return self._failed(f"{why}; this player thought for {thought:.3g} s", slowest)

    def close(self) -> None:
        """End the process; twice does no harm."""
        process, self._process, self._chunk = self._process, None, None
        if process is not None:
            self.pipe.close()
            process.kill()  # a stalled player reacts to nothing less; its programs' input closes
            process.join()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._plan, self._cells), daemon=True)
        on_lasting_thread(process.start)
        self._process = process  # not before: a signal may end this process as it waits for the start
        system.adopt(process.pid or 0)
        theirs.close()  # so that its end is heard here

    def _died(self) -> Report:
        """Vectorised matches are left, to be played one by one; another match has failed, by the seat asked last."""
        assert self._process is not None
        assert self._chunk is not None
        self._process.join(START_SECONDS)
        if self._chunk.is_vectorised:
            left = list(self._owed.values())
            self.close()
            return Report([], left)
        code = self._process.exitcode
        how = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
        return self._failed(f"expected its process to live on, got its end: {how}", self._clock.asked[0])

    def _failed(self, why: str, seat: int) -> Report:
        """The match under way has failed; those behind it are left."""
        fixture, *left = self._owed.values()
        culprit = None if seat == NO_SEAT else self._plan.spec.agents[seat]
        self.close()
        return Report([Played(fixture=fixture, error=why, culprit=culprit)], left)


def _serve(pipe: Connection, plan: MatchPlan, cells: Any) -> None:
    """Play the chunks that come through `pipe`, and send reports of each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all at once: the parent sees to the end
    os.dup2(2, 1)  # players may print: standard output is the command's own
    _follow_parent()
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    if Path(plan.folder).is_dir():
        os.chdir(plan.folder)
        sys.path.append(plan.folder)
    with LocalMatches(plan) if plan.limits is None else GuardedMatches(plan, Clock(cells)) as matches:
        while True:
            try:
                chunk: Chunk = pipe.recv()
            except EOFError:
                return
            for report in _play(matches, plan, chunk):
                pipe.send(report)


def _follow_parent() -> None:
    """End with the parent: a player that stalls may never come back."""
    parent = parent_process()
    if parent is not None and parent.pid:
        follow(parent.pid)


def _play(matches: LocalMatches, plan: MatchPlan, chunk: Chunk) -> Iterator[Report]:
    if not chunk.is_vectorised:
        with suppress(UserError):  # the match itself reports it
            matches.prepare()
        for fixture in chunk.fixtures:
            yield Report([matches.play(fixture)], left=[] if fixture is chunk.fixtures[-1] else None)
        return
    together, played, sent = VectorisedMatches(plan, chunk.fixtures), list[Played](), time.monotonic()
    for more in together.play():
        played += more
        if played and time.monotonic() - sent > _SECONDS_BETWEEN:
            yield Report(played)
            played, sent = [], time.monotonic()
    yield Report(played, together.left)
