"""Ends inferences that take too long, from a thread that looks at all of them now and then."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable

LIMIT = 10.0
"""Seconds of one inference: generous, since a laptop under load stalls too."""

_LOOK_EVERY = 0.5


class TimedRun:
    """The run of a graph: `since` is when the one under way began, 0 between runs; plain, as it costs at every act.

    `stop` is called by another thread where it takes longer than `limit` seconds, and `stopped` is True from then on.
    """

    def __init__(self, stop: Callable[[], None], *, limit: float = LIMIT) -> None:
        self.since = 0.0  # time.perf_counter
        self.limit, self.stopped = limit, False
        self._stop = stop
        _watch(self)

    def look(self, now: float) -> None:
        """Stop the run if it takes too long."""
        since = self.since
        if since and now - since > self.limit and not self.stopped:
            self.stopped = True
            self._stop()


_watched: weakref.WeakSet[TimedRun] = weakref.WeakSet()
_lock = threading.Lock()
_process = 0
"""The process that has the thread, which a fork of it has not."""


def _watch(run: TimedRun) -> None:
    global _process
    with _lock:
        _watched.add(run)
        if _process != os.getpid():
            _process = os.getpid()
            threading.Thread(target=_look, name="time limit", daemon=True).start()


def _look() -> None:
    while True:
        time.sleep(_LOOK_EVERY)
        with _lock:
            runs = list(_watched)
        now = time.perf_counter()
        for run in runs:
            run.look(now)
        del runs[:]
        run = None  # type: ignore[assignment]
