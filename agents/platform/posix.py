"""Linux and macOS."""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from agents.platform.base import System
from agents.platform.borrowed_socket import borrowed

if TYPE_CHECKING:  # imported before the first frame
    from multiprocessing.connection import Connection

_TIED_PROGRAM = Path(__file__).with_name("tied_program.py")
_GUARD_PROGRAM = Path(__file__).with_name("guard_program.py")

F_FULLFSYNC = 51  # <sys/fcntl.h> of macOS, whose fsync leaves data in the disk's own cache
ASIDE = 5
"""The weight, as of nice, of a session that gives way for a while: a third of the usual one."""

TRIES, BETWEEN_TRIES = 10, 0.11
"""Of weighing a session, and seconds between them."""

_DEVICES = Path("/dev")
_GRAPHICS_CARDS = ("dri/renderD*", "nvidia[0-9]*", "dxg")  # the last on Windows' own Linux
_OPEN_FILES = 65_536
_M_ARENA_MAX = -8  # malloc.h
_BYTES_RECEIVED = slice(128, 136)  # tcpi_bytes_received of struct tcp_info, <linux/tcp.h>


class Posix(System):
    """Linux and macOS."""

    new_group: Mapping[str, Any] = {"process_group": 0}
    own_session: Mapping[str, Any] = {"start_new_session": True}

    def open_device(self, path: Path) -> int:
        return self._open(path, follow=True)

    def _open(self, path: Path, *, follow: bool) -> int:
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW))

    def lock(self, file: int, *, shared: bool = False) -> bool:
        import fcntl

        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def flush(self, file: int) -> None:
        if sys.platform == "darwin":
            import fcntl

            with contextlib.suppress(OSError):  # some network disks do not know it
                fcntl.fcntl(file, F_FULLFSYNC)
                return
        os.fsync(file)

    def flush_file(self, path: Path) -> None:
        """A file without write permission too."""
        with path.open("rb") as file:
            self.flush(file.fileno())

    def flush_folder(self, folder: Path) -> None:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    @property
    def has_graphics_card(self) -> bool:
        return sys.platform != "linux" or any(any(_DEVICES.glob(name)) for name in _GRAPHICS_CARDS)

    @property
    def _user(self) -> int:
        return os.getuid()

    def is_alive(self, process_id: int) -> bool:
        if process_id <= 0:
            return False
        try:
            os.kill(process_id, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            return True
        return True

    def end_group(self, process_id: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process_id, signal.SIGKILL)

    def ask_to_end(self, process_id: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process_id, signal.SIGTERM)

    def end_with_parent(self) -> None:
        if sys.platform == "linux":
            from agents.platform.tied_program import kill_after_parent  # imports ctypes, which a window need not

            kill_after_parent()

    def is_child_of(self, process_id: int) -> bool:
        return os.getppid() == process_id

    def adopt(self, process_id: int) -> None:
        """Nothing: a child asks by `end_with_parent`."""

    def tied(self, command: Sequence[str]) -> list[str]:
        """Linux alone; a program that is not found stays as it is, so that Popen names it."""
        if sys.platform != "linux" or shutil.which(command[0]) is None:
            return list(command)
        return [sys.executable, "-I", "-S", str(_TIED_PROGRAM), str(os.getpid()), *command]

    def guard_command(self, parent: int, name: str) -> list[str]:
        """Linux alone, which has handles of processes that are not its children."""
        if sys.platform != "linux":
            return []
        return [sys.executable, "-I", "-S", str(_GUARD_PROGRAM), str(parent), name]

    def allow_connections(self) -> None:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _OPEN_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            with contextlib.suppress(ValueError, OSError):  # macOS has a lower limit, and does not report it
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))

    def limit_memory(self, size: int) -> None:
        import resource

        used = _virtual_memory()
        for limit, most in ((resource.RLIMIT_AS, used + size), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
            with contextlib.suppress(ValueError, OSError):  # macOS does not know all of them
                resource.setrlimit(limit, (most, most))

    def trim_memory(self) -> None:
        import ctypes

        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc
        if trim is not None:
            trim(0)

    def share_heap(self) -> None:
        import ctypes

        set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # of glibc, whose other heaps keep what was freed
        if set_option is not None and sys.platform == "linux":
            set_option(_M_ARENA_MAX, 1)

    def reserve_memory(self, size: int) -> mmap.mmap:
        return mmap.mmap(-1, size, access=mmap.ACCESS_COPY)  # else children that are forked would share it

    def received_bytes(self, connection: int) -> int | None:
        if sys.platform != "linux":
            return None  # macOS tells too, in another form that was not tried
        with contextlib.suppress(OSError), borrowed(connection) as tcp:
            told = tcp.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _BYTES_RECEIVED.stop)
            if len(told) == _BYTES_RECEIVED.stop:  # Linux 4.1 and later
                return int.from_bytes(told[_BYTES_RECEIVED], sys.byteorder)
        return None

    def become(self, command: Sequence[str]) -> NoReturn:
        os.execv(command[0], list(command))

    def give_way(self, nice: int, *, process_id: int = 0) -> None:
        """Linux weighs the sessions of a desktop against each other before their processes (autogroups), so a session
        of its own is lowered as a whole; a process with batch scheduling does not interrupt others when it wakes.
        """
        with contextlib.suppress(OSError):  # it has just ended, or only root may raise its priority
            os.setpriority(os.PRIO_PROCESS, process_id, max(nice, os.getpriority(os.PRIO_PROCESS, 0)))
        if nice:
            self._batch(process_id)
        with contextlib.suppress(OSError):
            if os.getsid(process_id) == (process_id or os.getpid()):
                _weigh_session(process_id, nice)

    def interrupt_nobody(self) -> None:
        self._batch(0)

    def _batch(self, task: int) -> None:
        """Have a process (0: this thread) wait for its turn when it wakes: batch scheduling, on Linux."""
        with contextlib.suppress(AttributeError, OSError):
            os.sched_setscheduler(task, os.SCHED_BATCH, os.sched_param(0))

    @property
    def set_apart(self) -> Mapping[str, Any]:
        return self.own_session

    def put_aside(self, process_id: int, *, is_aside: bool) -> None:
        """By the weight of its session, which anyone may raise again; it returns to that of ours."""
        own = _session_weight()
        _weigh_session(process_id, max(own, ASIDE) if is_aside else max(own, 0))

    def pass_on(self, descriptors: Sequence[int]) -> tuple[list[str], dict[str, Any]]:
        return [str(one) for one in descriptors], {"pass_fds": tuple(descriptors)}

    def received(self, word: str) -> int:
        return int(word)

    def pass_on_connection(self, connection: Any) -> tuple[str, dict[str, Any]]:
        handle = connection.fileno()
        return str(handle), {"pass_fds": (handle,)}

    def received_connection(self, word: str) -> Connection:
        from multiprocessing.connection import Connection

        return Connection(int(word))

    def waiter(self, connection: Connection) -> Callable[[float], bool]:
        import select

        poller = select.poll()  # Connection.poll builds a selector at every call
        poller.register(connection.fileno(), select.POLLIN)
        return lambda seconds: bool(poller.poll(seconds * 1000))


def _weigh_session(process_id: int, nice: int) -> None:
    """Weigh the session that a process (0: this one) leads against other sessions, where the system does that."""
    for _ in range(TRIES):
        try:
            Path(f"/proc/{process_id or 'self'}/autogroup").write_text(str(nice))
        except BlockingIOError:  # once in a tenth of a second for all of the machine
            time.sleep(BETWEEN_TRIES)
        except OSError:  # no such system, or the process has ended
            return
        else:
            return


def _session_weight() -> int:
    """The weight of this process's session, as of nice; 0, the usual one, where the system does not weigh them."""
    try:
        return int(Path("/proc/self/autogroup").read_text().split()[-1])
    except (OSError, ValueError, IndexError):
        return 0


def _virtual_memory() -> int:
    """Bytes of address space that this process has; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
