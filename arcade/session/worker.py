"""Worker: threads for slow jobs: reading disks, loading snapshots; Stages: the child processes that games run in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from agents.closing import Closing

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.stage.hosted import HostedStage, StageHost
    from arcade.match.stage.stage import Stage

T = TypeVar("T")
Errors = type[BaseException] | tuple[type[BaseException], ...]


@dataclass(slots=True, eq=False)
class _Job:
    work: Callable[[], Any]
    done: Callable[[Any], None] | None
    failed: Callable[[BaseException], None] | None
    errors: Errors
    future: Future[Any] | None = None  # None: not started


class Worker(Closing):
    """Does slow jobs in threads and returns their outcome on the thread that draws.

    Called once a frame::

        worker.submit(lambda: store.get("latest", game=game), done=seat_it, failed=say_so)
        worker.poll()                # runs done(outcome) or failed(error) of every finished job

    A job starts at the next `poll`: what a page asks for as it opens would take the processor from its first frame.
    The error of a job without `failed`, or one that is none of its `errors`, is raised again by `poll`.
    """

    def __init__(self, *, threads: int = 4) -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="arcade")
        self._jobs: list[_Job] = []
        self._closed = False

    def submit(
        self,
        job: Callable[[], T],
        *,
        done: Callable[[T], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
        errors: Errors = BaseException,
    ) -> None:
        """Do `job` in a thread, from the next `poll` on.

        A later one calls `done` with its outcome, or `failed` with its error, where that is one of the `errors`.
        """
        if self._closed:
            raise RuntimeError("expected a job before the worker was closed, got one after it")
        self._jobs.append(_Job(job, done, failed, errors))

    @property
    def busy(self) -> int:
        """The number of jobs whose outcome was not returned yet."""
        return len(self._jobs)

    def poll(self) -> None:
        """Start the new jobs, and return the outcome of every finished one, in the order they were submitted."""
        ended = [(job, future) for job, future in zip(self._jobs, self._started(), strict=True) if future.done()]
        for job, _ in ended:
            self._jobs.remove(job)
        for job, future in ended:
            error = future.exception()
            if error is None:
                if job.done is not None:
                    job.done(future.result())
            elif job.failed is not None and isinstance(error, job.errors):
                job.failed(error)
            else:
                raise error

    def settle(self, *, timeout: float = 10.0) -> None:
        """Wait for the jobs and return their outcomes: at the end of a program, and in tests."""
        wait(self._started(), timeout=timeout)
        self.poll()

    def close(self, *, timeout: float = 10.0) -> None:
        """Let the jobs finish (a ladder row, a recording), within `timeout` seconds."""
        if self._closed:
            return
        self._closed = True
        wait(self._started(), timeout=timeout)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _started(self) -> list[Future[Any]]:
        """The futures of all jobs, each of which has started."""
        for job in self._jobs:
            job.future = job.future or self._pool.submit(job.work)
        return [job.future for job in self._jobs if job.future is not None]


class Stages:
    """Makes stages, and keeps a spare child, once `open` has given it a host."""

    def __init__(self, worker: Worker, *, is_open: Callable[[], bool] = lambda: True) -> None:
        """No spare is started once `is_open` turns False."""
        self.worker, self._is_open = worker, is_open
        self._host: StageHost | None = None

    def open(self, host: StageHost) -> None:
        """Make stages of `host` from now on."""
        self._host = host

    def make(self, spec: GameSpec) -> HostedStage:
        """Make a stage of `spec`; takes a while: for the worker only."""
        assert self._host is not None
        return self._host.stage(spec)

    def warm(self) -> None:
        """Start a spare child for the next stage."""
        if self._host is not None and self._is_open():
            self.worker.submit(self._host.warm)

    def free(self, stage: Stage) -> None:
        """Close a stage without waiting for its child to end."""
        self.worker.submit(stage.close)

    def close(self) -> None:
        """End all children; can be called twice."""
        if self._host is not None:
            self._host.close()
