"""Ctrl-C while a program still imports its parts, and a quick end of one that has filled gigabytes."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
from collections.abc import Iterator
from typing import NoReturn


@contextlib.contextmanager
def silent_interrupts() -> Iterator[None]:
    """Ctrl-C ends the process at once, without a traceback; for the main thread of programs."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # a process in the background may ignore it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def end_process(status: int) -> NoReturn:
    """End the process without freeing its objects one by one: with large networks Python takes seconds for it.

    Functions of `atexit` are called; threads are not waited for.
    """
    try:
        atexit._run_exitfuncs()
        print(end="", flush=True)
    finally:
        os._exit(status)
