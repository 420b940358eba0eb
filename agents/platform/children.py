"""Child processes that end with their parent, whatever either is doing and however the parent ends.

The kernel kills a child when its parent ends (Linux, Windows), even one that is stopped or stuck in C; on every system
a thread of our own children looks for their parent as well.  A child of ours begins with `end_with_parent()`.
"""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from agents.platform import system

PARENT = "ARCADE_PARENT"
"""Environment variable with the process id of the parent, for the child alone."""

LOOK_EVERY = 1.0
"""Seconds between two looks for the parent."""

T = TypeVar("T")
_Job = tuple[Future[Any], Callable[[], Any]]


def start_child(
    command: Sequence[str], *, env: Mapping[str, str] | None = None, nice: int = 0, **settings: Any
) -> subprocess.Popen[Any]:
    """Popen of a Python program of ours, which calls `end_with_parent`, that ends with this process.

    `nice` is its priority from the start, its imports included: 0 (normal) to 19 (lowest).
    """
    own = {**(os.environ if env is None else env), PARENT: str(os.getpid())}
    process = _adopted(on_lasting_thread(lambda: subprocess.Popen(command, env=own, **settings)))
    if nice:
        system.give_way(nice, process_id=process.pid)
    return process


def start_program(command: Sequence[str], **settings: Any) -> subprocess.Popen[Any]:
    """Popen of any program that ends with this process; raises OSError where it cannot be run."""
    tied = system.tied(command)
    return _adopted(on_lasting_thread(lambda: subprocess.Popen(tied, **settings)))


class Guard:
    """Ends programs and all that they have started once it is closed, or this process has ended, killed or not.

    They are the children of this process of that name.  For those of a library, such as a Ray cluster, whose own
    children are not bound to this process; on Linux alone.
    """

    def __init__(self, name: str) -> None:
        command = system.guard_command(os.getpid(), name)
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._program = subprocess.Popen(command, **pipes, **system.own_session) if command else None
        self._wait()

    def settle(self) -> None:
        """Look for no more of them: all that matter have been started."""
        if self._program is not None and self._program.stdin is not None:
            self._program.stdin.write(b"\n")
            self._program.stdin.flush()
            self._wait()

    def close(self) -> None:
        """End those that still run; can be called twice."""
        program, self._program = self._program, None
        if program is not None:
            program.communicate(b"\n\n")  # its end of the pipe alone may be in another child too, before that runs

    def _wait(self) -> None:
        """For its next line: it looks, or has looked."""
        if self._program is not None and self._program.stdout is not None:
            self._program.stdout.readline()


def end_with_parent(*, grace: float = 0.0) -> None:
    """In a child made by `start_child`: end with the parent, after `grace` seconds for an end in order.

    Does nothing in any other process.
    """
    parent = int(os.environ.pop(PARENT, "0"))
    if parent:
        follow(parent, grace=grace)


def follow(parent: int, *, grace: float = 0.0) -> None:
    """End this process `grace` seconds after its parent; with none, the kernel sees to it as well."""
    if not grace:
        system.end_with_parent()
    if not system.is_child_of(parent):
        os._exit(1)  # it has ended already, and there is nothing yet to end in order
    threading.Thread(target=_watch, args=(parent, grace), name="parent", daemon=True).start()


def _watch(parent: int, grace: float) -> None:
    while system.is_child_of(parent):
        time.sleep(LOOK_EVERY)
    time.sleep(grace)
    os._exit(1)  # whatever the other threads are doing


def _adopted(process: subprocess.Popen[Any]) -> subprocess.Popen[Any]:
    system.adopt(process.pid)
    return process


def on_lasting_thread(call: Callable[[], T]) -> T:
    """Call in a thread that lasts as long as this process: Linux ends children with the thread that started them."""
    future: Future[T] = Future()
    _jobs().put((future, call))
    return future.result()


_lock = threading.Lock()
_queue: tuple[int, queue.SimpleQueue[_Job]] | None = None
"""The process that has the thread, which a fork of it has not, and the thread's jobs."""


def _jobs() -> queue.SimpleQueue[_Job]:
    global _queue
    with _lock:
        if _queue is None or _queue[0] != os.getpid():
            _queue = os.getpid(), queue.SimpleQueue()
            threading.Thread(target=_do, args=(_queue[1],), name="children", daemon=True).start()
        return _queue[1]


def _do(jobs: queue.SimpleQueue[_Job]) -> None:
    while True:
        future, call = jobs.get()
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001  (raised again by the caller)
            future.set_exception(error)
        del future, call  # a process object would live on until the next job
