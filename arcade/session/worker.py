"""Worker: threads for slow jobs: reading disks, loading snapshots; Stages: the child processes that games run in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from agents.closing import Closing

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.stage.hosted import HostedStage, StageHost
    from arcade.match.stage.stage import Stage

T = TypeVar("T")
Errors = type[BaseException] | tuple[type[BaseException], ...]


class _Job(NamedTuple):
    future: Future[Any]
    done: Callable[[Any], None] | None
    failed: Callable[[BaseException], None] | None
    errors: Errors


class Worker(Closing):
    """Does slow jobs in threads and returns their outcome on the thread that draws.

    Called once a frame::

        worker.submit(lambda: store.get("latest", game=game), done=seat_it, failed=say_so)
        worker.poll()                # runs done(outcome) or failed(error) of every finished job

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
        """Start `job` in a thread; a later `poll` calls `done`, or `failed` for one of the `errors`."""
        self._jobs.append(_Job(self._pool.submit(job), done, failed, errors))

    @property
    def busy(self) -> int:
        """The number of jobs whose outcome was not returned yet."""
        return len(self._jobs)

    def poll(self) -> None:
        """Return the outcome of every finished job, in the order they were submitted."""
        ended = [job for job in self._jobs if job.future.done()]
        self._jobs = [job for job in self._jobs if job not in ended]
        for job in ended:
            error = job.future.exception()
            if error is None:
                if job.done is not None:
                    job.done(job.future.result())
            elif job.failed is not None and isinstance(error, job.errors):
                job.failed(error)
            else:
                raise error

    def settle(self, *, timeout: float = 10.0) -> None:
        """Wait for the jobs under way and return their outcomes: at the end of a program, and in tests."""
        wait([job.future for job in self._jobs], timeout=timeout)
        self.poll()

    def close(self, *, timeout: float = 10.0) -> None:
        """Let the jobs under way finish (a ladder row, a recording), within `timeout` seconds."""
        if self._closed:
            return
        self._closed = True
        wait([job.future for job in self._jobs], timeout=timeout)
        self._pool.shutdown(wait=False, cancel_futures=True)


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
