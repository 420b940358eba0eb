"""Giving way: a run beside a window takes the processor time that the window leaves."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def give_way(nice: int, *, threads: int) -> None:
    """Lower this process and what it starts to priority `nice`, 0 to 19; 0 leaves all as it is.

    `threads` bounds the pools of numeric libraries loaded from now on.  Linux weighs the sessions of a desktop
    against each other before the processes in them (autogroups), so that a session of our own is lowered as a whole;
    and a process that runs in batches does not interrupt others as it wakes.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, str(threads))
    if not nice:
        return
    os.nice(max(0, nice - os.nice(0)))
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(nice))
