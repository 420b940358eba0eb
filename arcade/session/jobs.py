"""Jobs: everything under way that takes longer than two seconds, with progress and cancel; no screen waits for it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

from agents.platform.children import start_child
from arcade.language import _, duration_text, ngettext, percent

NICE = 10
"""Priority of the processes of jobs and of what they start, below the window's."""

MOST_ENDED = 20
"""Ended jobs that are still listed, the newest."""

SHOWN_AFTER = 2.0
"""Seconds that a job takes before it is listed."""

SURE_AFTER = 2.0
"""Seconds of progress before an estimate of the time left."""


class Job(Protocol):
    """One line of the list of jobs: a video, a training, a tournament."""

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


class TimeLeft:
    """Estimates the time left of a job from its mean speed::

    left = TimeLeft()
    left.note(0.25, now=10.0)
    left.note(0.50, now=15.0)
    left.seconds(now=16.0)  # 9.0
    """

    def __init__(self) -> None:
        self._first = self._newest = (0.0, 0.0)  # seconds of the clock, and the share that was done then

    def note(self, share: float | None, *, now: float) -> None:
        """Note the share that is done at `now` (0 to 1; None: unknown); one below the last starts a new estimate."""
        if share is None:
            return
        if share < self._newest[1] or self._newest == (0.0, 0.0):
            self._first = (now, share)
        self._newest = (now, share)

    def seconds(self, *, now: float) -> float | None:
        """The seconds left at `now`; None while there is too little progress for an estimate."""
        (began, before), (noted, share) = self._first, self._newest
        if noted - began < SURE_AFTER or share <= before:
            return None
        return max(0.0, (1 - share) * (noted - began) / (share - before) - (now - noted))


class ChildJob(ABC):
    """A job in a process of its own, which begins at once; its state can be read at any time, from any thread.

    A subclass sets its own state before it calls `super().__init__`, and defines `progress` and `handle`.
    """

    def __init__(self, module: str, order: object) -> None:
        """``python -m MODULE ORDER``, the order as JSON."""
        self._ended, self._left = threading.Event(), TimeLeft()
        self._child = start_child(
            [sys.executable, "-m", module, json.dumps(order)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, nice=NICE,
        )  # fmt: skip
        threading.Thread(target=self._listen, name=module, daemon=True).start()

    @property
    @abstractmethod
    def progress(self) -> float | None:
        """The share that is done, 0 to 1; None where it is not known."""

    @property
    def left_text(self) -> str:
        """The time left, for people; "" where it is not known."""
        seconds = None if self.done else self._left.seconds(now=time.monotonic())
        return "" if seconds is None else _("{left} left").format(left=duration_text(seconds))

    @property
    def done(self) -> bool:
        """Whether it is over, cancelled or failed."""
        return self._ended.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Block until it is `done`; not for a window."""
        return self._ended.wait(timeout)

    def cancel(self) -> None:
        """End the process; can be called twice."""
        self._child.terminate()

    @abstractmethod
    def handle(self, message: Any) -> None:
        """Take one message of the process, in a thread of its own."""

    def _listen(self) -> None:
        assert self._child.stdout is not None
        with self._child.stdout as lines:
            for line in lines:
                with suppress(ValueError):  # printed by a library
                    self.handle(json.loads(line))
                self._left.note(self.progress, now=time.monotonic())
        self._child.wait()
        self._ended.set()


@dataclass
class _NewJob:
    """A job that is not listed yet."""

    job: Job
    is_passing: bool  # the program's own: it is not listed once it ended
    since: float | None = None  # seconds; None before the first `update`


class Jobs:
    """The jobs that take longer than SHOWN_AFTER, oldest first.  `update` is called once a frame."""

    def __init__(self) -> None:
        self.running: list[Job] = []
        self.ended: deque[Job] = deque(maxlen=MOST_ENDED)
        self.version = 0  # rises when a job is listed or ends
        self._new: list[_NewJob] = []
        self._passing: list[Job] = []  # listed, and forgotten once they end

    @property
    def text(self) -> str:
        """How many are under way and how far they are: "2 jobs, 45%"; "" for none."""
        if not self.running:
            return ""
        count = len(self.running)
        jobs = ngettext("{count} job", "{count} jobs", count).format(count=count)
        known = [job.progress for job in self.running if job.progress is not None]
        return _("{jobs}, {percent}").format(jobs=jobs, percent=percent(fmean(known))) if known else jobs

    @property
    def lasting(self) -> list[Job]:
        """Those under way that are listed once they end, and so mean something to people."""
        return [job for job in self.running if job not in self._passing and not job.done]

    def add(self, job: Job, *, passing: bool = False) -> None:
        """List a job that has begun, unless it ends soon; `passing`: the program's own, not listed once it ended."""
        self._new.append(_NewJob(job, passing))

    def update(self, now: float) -> None:
        """List the jobs that have lasted, and move those that have ended; `now` in seconds."""
        self._new = [new for new in self._new if not new.job.done]
        for new in self._new:
            new.since = now if new.since is None else new.since
            if now - new.since >= SHOWN_AFTER:
                self.running.append(new.job)
                self._passing += [new.job] if new.is_passing else []
                self.version += 1
        self._new = [new for new in self._new if new.job not in self.running]
        for job in [job for job in self.running if job.done]:
            self.running.remove(job)
            self._passing.remove(job) if job in self._passing else self.ended.append(job)
            self.version += 1

    def forget_ended(self) -> None:
        """Empty the list of ended jobs."""
        self.ended.clear()
        self.version += 1
