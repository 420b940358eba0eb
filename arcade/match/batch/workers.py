"""Rounds over several processes; what comes of a round does not depend on which of them played it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from arcade.match.batch.rounds import Played, Round, RoundPlayer, Table

LOOK_SECONDS = 0.5  # of play in this process, before it is decided whether others are worth their start
WORTH_SECONDS = 4.0  # of play still to come, from which on they are: each takes a second or so to start


def play_rounds(player: RoundPlayer, table: Table, rounds: Sequence[Round], *, workers: int | None) -> Iterator[Played]:
    """Play all, and yield them in their order.

    One worker is this process, by `player`.  With None this process begins, and where much is left hands it over to a
    process a core.
    """
    if workers == 1:
        yield from map(player.play, rounds)
        return
    done, began = 0, time.monotonic()
    while workers is None and done < len(rounds) and not _is_worth_it(time.monotonic() - began, done, len(rounds)):
        yield player.play(rounds[done])
        done += 1
    if done < len(rounds):
        player.close()
        yield from _in_order(_play_over(table, rounds[done:], min(workers or _cores(), len(rounds) - done)), done)


def _is_worth_it(seconds: float, done: int, total: int) -> bool:
    if not done or seconds < LOOK_SECONDS or _cores() < 2:
        return False
    return seconds / done * (total - done) >= WORTH_SECONDS


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _in_order(results: Iterable[Played], first: int) -> Iterator[Played]:
    early: dict[int, Played] = {}
    for played in results:
        early[played.round.episode] = played
        while first in early:
            yield early.pop(first)
            first += 1


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    round: Round | None = None  # that it is playing


def _play_over(table: Table, rounds: Sequence[Round], count: int) -> Iterator[Played]:
    """As they come.  A process that dies fails the round it was playing, and another one takes its place."""
    waiting = deque(rounds)
    workers = [_start(table) for _ in range(count)]
    try:
        for worker in workers:
            _hand_out(worker, waiting)
        while any(worker.round for worker in workers):
            wait([worker.pipe for worker in workers if worker.round])
            for at, worker in enumerate(workers):
                if worker.round and worker.pipe.poll():
                    played = _take(worker)
                    if waiting and worker.process.exitcode is not None:
                        workers[at] = worker = _start(table)
                    _hand_out(worker, waiting)
                    yield played
    finally:
        for worker in workers:
            _stop(worker)


def _start(table: Table) -> _Worker:
    context = multiprocessing.get_context("spawn")  # a fork would share locks and sockets with this process
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, table), daemon=True)
    process.start()
    theirs.close()  # so that its end is heard here
    return _Worker(process, ours)


def _hand_out(worker: _Worker, waiting: deque[Round]) -> None:
    worker.round = waiting.popleft() if waiting else None
    if worker.round:
        with suppress(OSError):  # it has died since: the end of its pipe says so, and fails this round
            worker.pipe.send(worker.round)


def _take(worker: _Worker) -> Played:
    """What the worker has to say of its round; where it says no more, its process is gone when this returns."""
    assert worker.round is not None
    try:
        played: Played = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode or 0
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Played(round=worker.round, result=None, error=f"expected its process to live on, got its end: {how}")
    return played


def _stop(worker: _Worker) -> None:
    worker.pipe.close()  # its `recv` ends, and with it the process
    if worker.round:
        worker.process.terminate()
    worker.process.join()


def _work(pipe: Connection, table: Table) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all at once: the process that asked sees to the end
    with RoundPlayer(table) as player:
        while True:
            try:
                round = pipe.recv()
            except EOFError:
                return  # nobody asks any more
            pipe.send(player.play(round))
