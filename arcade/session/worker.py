"""Threads for what must not hold up a frame: disks, snapshots, starting a stage."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """Does slow jobs in threads and hands their outcome back on the thread that draws.

    Called once a frame::

        worker.submit(lambda: store.get("latest", game=game), done=seat_it, failed=say_so)
        worker.poll()                # runs done(outcome) or failed(error) of every job that has ended

    A job without `failed` that raises, raises again from `poll`.
    """

    def __init__(self, *, threads: int = 3) -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="arcade")
        self._jobs: list[tuple[Future[Any], Callable[[Any], None] | None, Callable[[BaseException], None] | None]]
        self._jobs = []
        self._closed = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(
        self,
        job: Callable[[], T],
        *,
        done: Callable[[T], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Start `job` in a thread; `done` or `failed` follows from a later `poll`."""
        self._jobs.append((self._pool.submit(job), done, failed))

    @property
    def busy(self) -> int:
        """How many jobs have not been handed back yet."""
        return len(self._jobs)

    def poll(self) -> None:
        """Hand back every job that has ended, in the order they were submitted."""
        ended = [job for job in self._jobs if job[0].done()]
        self._jobs = [job for job in self._jobs if job not in ended]
        for future, done, failed in ended:
            error = future.exception()
            if error is None:
                if done is not None:
                    done(future.result())
            elif failed is not None:
                failed(error)
            else:
                raise error

    def settle(self, *, timeout: float = 10.0) -> None:
        """Wait for the jobs under way and hand them back: for the end of a program, and for tests."""
        wait([future for future, _, _ in self._jobs], timeout=timeout)
        self.poll()

    def close(self, *, timeout: float = 10.0) -> None:
        """Let what is under way finish (a ladder row, a replay), for `timeout` seconds at most."""
        if self._closed:
            return
        self._closed = True
        wait([future for future, _, _ in self._jobs], timeout=timeout)
        self._pool.shutdown(wait=False, cancel_futures=True)
