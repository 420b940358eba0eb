"""How a run is asked to stop: signals, and the end of an iteration that takes too long after that.

The first signal stops after the current iteration, which gets `GRACE` seconds to end; the second ends the run at once,
with the newest checkpoint that is on the disk.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from agents.platform import system

GRACE = 2.0
"""Seconds that an iteration may still take after a stop was requested."""

_WATCH_SECONDS = 0.2


Iteration = Callable[[Callable[[], None]], contextlib.AbstractContextManager[None]]
"""The context of one iteration; see `StopSignals.iteration`."""


class StoppedEarly(BaseException):
    """Stopped before the training began; not an Exception, so that no error handler catches it."""


class StoppedAtOnce(BaseException):
    """A second signal: ends without another checkpoint."""


class CutOffError(BaseException):
    """The iteration took too long after a stop was requested."""


class Stoppable(Protocol):
    """What a run is asked to stop by: a `TrainerServer`."""

    @property
    def stop(self) -> bool: ...

    def request(self, name: str) -> object: ...


class StopSignals:
    """The signal handlers of one run while the context lasts; programs that continue get theirs back.

    Only the main thread can handle any: a run in another thread is stopped by requests alone, after the iteration.
    """

    def __init__(self, server: Stoppable, *, grace: float = GRACE) -> None:
        self._server, self._grace = server, grace
        self._is_early = True  # the training has not begun
        self._came: set[int] = set()
        self._is_iterating = self._is_cutting = self._is_cut = False  # the watchdog interrupts the main thread to cut
        self._release: Callable[[], None] = lambda: None
        self._closed = threading.Event()
        self._watchdog = threading.Thread(target=self._watch, name="iteration", daemon=True)

    def __enter__(self) -> StopSignals:
        self._before = {number: signal.getsignal(number) for number in _signals()}
        self.take()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def take(self) -> None:
        """Install the handlers, also again after another library's; raises StoppedEarly where a signal came."""
        for number in _signals():
            signal.signal(number, self._handle)
        if self._is_early and self._server.stop:
            raise StoppedEarly

    def begin(self) -> None:
        """The training begins: from now on a signal stops it after the current iteration."""
        self._is_early = False
        self.take()
        if _signals():
            self._watchdog.start()

    @contextlib.contextmanager
    def iteration(self, release: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Raises CutOffError inside where it lasts `grace` seconds longer than a stop was requested.

        `release` ends what no signal interrupts, such as waiting for another process; it is called in another thread.
        """
        self._release, self._is_iterating = release, True
        try:
            yield
        except (Exception, CutOffError) as error:
            if self._is_cut:  # libraries wrap what is raised inside them, ray in a SystemError
                raise CutOffError from error
            raise
        finally:
            self._is_iterating = False

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Request the stop afterwards if a signal came, also one that another handler took.

        While ray starts, its own handler raises SystemExit, which Python drops inside a callback such as one after a
        fork.
        """
        if not _signals():
            yield
            return
        reader, writer = socket.socketpair()
        with reader, writer:
            reader.setblocking(False)
            writer.setblocking(False)
            before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
            try:
                yield
            finally:
                signal.set_wakeup_fd(before)
                with contextlib.suppress(BlockingIOError):
                    if set(_signals()) & set(reader.recv(4096)):
                        self._server.request("stop")

    def _handle(self, number: int, _frame: object) -> None:
        if self._is_cutting:
            self._is_cutting = False
            if self._is_iterating:
                self._is_cut = True
                raise CutOffError
            return
        if number in self._came:
            raise StoppedAtOnce
        self._came.add(number)
        self._server.request("stop")
        if self._is_early:
            raise StoppedEarly

    def _watch(self) -> None:
        overdue_at = 0.0
        while not self._closed.wait(_WATCH_SECONDS):
            if not self._server.stop:
                continue
            overdue_at = overdue_at or time.monotonic() + self._grace
            if self._is_iterating and time.monotonic() >= overdue_at:
                self._release()
                self._is_cutting = True
                _thread.interrupt_main(signal.SIGINT)


def _signals() -> tuple[signal.Signals, ...]:
    """The signals that stop a run; none in a thread that cannot handle any."""
    is_main = threading.current_thread() is threading.main_thread()
    return system.stop_signals if is_main else ()


def without_end(release: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
    """An iteration that nothing cuts off."""
    return contextlib.nullcontext()
