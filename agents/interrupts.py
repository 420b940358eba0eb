"""Ctrl-C while a program still imports its parts."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


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
