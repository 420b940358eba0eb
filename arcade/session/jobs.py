"""Jobs: everything under way that takes longer than two seconds, with progress and cancel; no screen waits for it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol, TypeVar

from arcade.session.worker import Errors, Worker

T = TypeVar("T")
MOST_ENDED = 20
"""Ended jobs that are still listed, the newest."""

CANCELLED = "Cancelled"
DONE = "Done"


class Job(Protocol):
    """One line of the list of jobs: a video, a training, a tournament, an export."""

    @property
    def title(self) -> str:
        """What is made, for people."""

    @property
    def progress(self) -> float | None:
        """The share that is done, 0 to 1; None where it is not known."""

    @property
    def text(self) -> str:
        """What it does now, or how it ended, for people."""

    @property
    def done(self) -> bool:
        """Whether it has ended, well or not."""

    def cancel(self) -> None:
        """End it soon; can be called twice, and once it is done."""


class Cancelled(Exception):
    """Ends a worker's job that was cancelled."""


class WorkerJob:
    """A job in the worker.  Its function calls `report`, which raises Cancelled once the job was cancelled."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.progress: float | None = None
        self.text, self.done = "", False
        self._cancelled = threading.Event()

    def report(self, progress: float | None = None, text: str = "") -> None:
        """Note the progress so far.  Raises Cancelled."""
        if self._cancelled.is_set():
            raise Cancelled
        self.progress, self.text = progress, text or self.text

    def cancel(self) -> None:
        self._cancelled.set()

    def end(self, text: str) -> None:
        """Note how it ended."""
        self.text, self.done = text, True


class Jobs:
    """The jobs under way and those that ended, oldest first.  `update` is called once a frame."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.running: list[Job] = []
        self.ended: deque[Job] = deque(maxlen=MOST_ENDED)
        self.version = 0  # rises when a job begins or ends

    def add(self, job: Job) -> None:
        """List a job that has begun."""
        self.running.append(job)
        self.version += 1

    def submit(
        self,
        title: str,
        work: Callable[[WorkerJob], T],
        *,
        done: Callable[[T], None] = lambda outcome: None,
        failed: Callable[[BaseException], None] = lambda error: None,
        errors: Errors = Exception,
        ended: Callable[[T], str] = lambda outcome: DONE,
    ) -> WorkerJob:
        """Do `work` in the worker and list it; `ended` says how it went.  The rest is as in Worker.submit."""
        job = WorkerJob(title)

        def finish(outcome: T) -> None:
            job.end(ended(outcome))
            done(outcome)

        def fail(error: BaseException) -> None:
            if isinstance(error, Cancelled):
                job.end(CANCELLED)
                return
            job.end(str(error))
            failed(error)

        self.add(job)
        all_errors = errors if isinstance(errors, tuple) else (errors,)
        self._worker.submit(lambda: work(job), done=finish, failed=fail, errors=(Cancelled, *all_errors))
        return job

    def update(self) -> None:
        """Move the jobs that have ended."""
        for job in [job for job in self.running if job.done]:
            self.running.remove(job)
            self.ended.append(job)
            self.version += 1

    def forget_ended(self) -> None:
        """Empty the list of ended jobs."""
        self.ended.clear()
        self.version += 1
