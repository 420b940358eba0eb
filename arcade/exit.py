"""The end of a program: signals close its window in order, and nothing that is stuck keeps it alive."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator

from agents.platform import system

CLOSING_SECONDS = 75.0
"""From a signal to the end of the process: a trainer alone may take a minute for its checkpoint."""

JOB_SECONDS = 10.0
"""From the end of the program to the end of the process, for threads whose jobs are not done."""


@contextlib.contextmanager
def closing_on_signals(close: Callable[[], None], *, seconds: float = CLOSING_SECONDS) -> Iterator[None]:
    """Call `close` at SIGTERM and at a closed terminal; `seconds` after the signal the process ends in any case.

    Only the main thread can handle signals; in another one nothing changes.  Ctrl-C stays a KeyboardInterrupt.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [number for number in system.stop_signals if number != signal.SIGINT]
    before = {number: signal.signal(number, lambda *_: close()) for number in numbers}
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    # A main thread that is stuck runs no handler, but the signal's number reaches the socket.
    threading.Thread(target=_end_after_signal, args=(reader, seconds, numbers), name="signals", daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        writer.close()  # ends the thread, unless a signal came
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_after_signal(reader: socket.socket, seconds: float, numbers: list[signal.Signals]) -> None:
    with reader:
        while received := reader.recv(64):
            if found := [number for number in numbers if number in received]:
                time.sleep(seconds)
                os._exit(128 + found[0])


def end_within(seconds: float = JOB_SECONDS) -> None:
    """End the process `seconds` from now with the status it has, though a thread's job is stuck.

    Called last: Python itself would wait for the threads of every pool.
    """
    error = sys.exception()
    code = error.code if isinstance(error, SystemExit) else 1 if error else 0
    status = code if isinstance(code, int) else 1 if code else 0

    def end() -> None:
        time.sleep(seconds)
        os._exit(status)

    threading.Thread(target=end, name="end", daemon=True).start()
