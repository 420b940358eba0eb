"""How a run is asked to stop: signals, and the end of an iteration that takes too long after that.

The first signal stops after the current iteration, which gets `GRACE` seconds to end; the second ends the run at once,
with the newest checkpoint that is on the disk.  Before the training begins, the first one ends it.

Python handles signals between two of its own instructions.  A call into torch may last minutes, and what a handler
raises may be lost, even with a lock that is then never released: Python drops it inside a callback such as one after a
fork.  So a thread sees the signals too, and ends a program whose main thread does not come back.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Protocol

from agents.platform import system

GRACE = 2.0
"""Seconds that an iteration may still take after a stop was requested."""

STUCK_SECONDS = 5.0
"""Seconds for the main thread to notice that its iteration is cut off."""

AT_ONCE_SECONDS = 0.6
"""Seconds for the main thread to notice a second signal."""

_WATCH_SECONDS = 0.2
_JOIN_SECONDS = 5.0


Iteration = Callable[[Callable[[], None]], contextlib.AbstractContextManager[None]]
"""The context of one iteration; see `StopSignals.iteration`."""

End = Callable[[type[BaseException]], object]
"""Ends the program, for StoppedEarly or StoppedAtOnce."""


class StoppedEarly(BaseException):
    """Stopped before the training began; not an Exception, so that no error handler catches it."""


class StoppedAtOnce(BaseException):
    """A second signal: ends without another checkpoint."""


class CutOffError(BaseException):
    """The iteration took too long after a stop was requested."""


class Stop:
    """A stop that signals alone request."""

    stop = False

    def request(self, name: str) -> None:
        self.stop = True


class Stoppable(Protocol):
    """What a run is asked to stop by: a `TrainerServer`."""

    @property
    def stop(self) -> bool: ...

    def request(self, name: str) -> object: ...


class StopSignals:
    """The signal handlers of one run while the context lasts; programs that continue get theirs back.

    Only the main thread can handle any: a run in another thread is stopped by requests alone, after the iteration.
    `end` ends the program, and gets StoppedEarly or StoppedAtOnce; it is called in another thread where the main one is
    in a call that nothing interrupts, or hangs on its way out.
    """

    def __init__(self, server: Stoppable, *, grace: float = GRACE, end: End | None = None) -> None:
        self._server, self._grace, self._end = server, grace, end
        self._is_early = True  # the training has not begun
        self._came: set[int] = set()
        self._is_iterating = self._is_cutting = self._is_cut = False  # the watchdog interrupts the main thread to cut
        self._release: Callable[[], None] = lambda: None
        self._closed = threading.Event()
        self._seen = Counter[int]()  # signal number to how many came, without the watchdog's own
        self._watchdog = threading.Thread(target=self._watch, name="iteration", daemon=True)
        self._reader: socket.socket | None = None  # the numbers of all signals, as they come

    def __enter__(self) -> StopSignals:
        self._before = {number: signal.getsignal(number) for number in _signals()}
        self.take()
        if self._before:
            self._reader, self._writer = _socket_pair()
            self._wakeup_before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
            self._watchdog.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._end is not None and kind in (StoppedEarly, StoppedAtOnce):
            return  # the program ends, and the watchdog sees to it
        self._closed.set()
        if self._reader is not None:
            signal.set_wakeup_fd(self._wakeup_before)
            self._watchdog.join(_JOIN_SECONDS)
            self._writer.close()
            self._reader.close()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def take(self) -> None:
        """Install the handlers, also again after another library's; raises StoppedEarly where a signal came."""
        for number in _signals():
            signal.signal(number, self._handle)
        self._count_signals()
        if self._is_early and self._server.stop:
            raise StoppedEarly

    def begin(self) -> None:
        """The training begins: from now on a signal stops it after the current iteration."""
        self.take()
        self._is_early = False

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
        overdue_at = stuck_at = 0.0
        while not self._closed.wait(_WATCH_SECONDS):
            if self._count_signals() and self._end and not self._closed.wait(AT_ONCE_SECONDS):
                self._end(StoppedAtOnce)
            if not self._server.stop:
                continue
            overdue_at = overdue_at or time.monotonic() + self._grace
            if time.monotonic() < overdue_at:
                continue
            if self._is_early and self._end:
                self._end(StoppedEarly)
            if not self._is_iterating:
                continue
            if not self._is_cutting:
                self._release()
                self._is_cutting, stuck_at = True, time.monotonic() + STUCK_SECONDS
                self._seen[signal.SIGINT] -= 1
                _thread.interrupt_main(signal.SIGINT)
            elif self._end and time.monotonic() >= stuck_at:
                self._end(StoppedAtOnce)

    def _count_signals(self) -> bool:
        """Count the signals since the last call, and request the stop; returns whether one has just come again."""
        try:
            came = self._reader.recv(4096) if self._reader is not None else b""
        except BlockingIOError:
            return False
        for number in system.stop_signals:
            self._seen[number] += came.count(number)
        most = max(self._seen.values())
        if most > 0:
            self._server.request("stop")
        return most > 1


def _socket_pair() -> tuple[socket.socket, socket.socket]:
    """The reader and the writer of bytes that neither waits for."""
    reader, writer = socket.socketpair()
    reader.setblocking(False)
    writer.setblocking(False)
    return reader, writer


def _signals() -> tuple[signal.Signals, ...]:
    """The signals that stop a run; none in a thread that cannot handle any."""
    is_main = threading.current_thread() is threading.main_thread()
    return system.stop_signals if is_main else ()


def without_end(release: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
    """An iteration that nothing cuts off."""
    return contextlib.nullcontext()
