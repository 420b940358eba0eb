"""Windows.  Its calls are checked here against fakes of its libraries; it was not run on a Windows machine."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from agents.platform.base import NotRegularError, System

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_NEW_PROCESS_GROUP, _DETACHED = 0x200, 0x8
_QUERY_LIMITED, _SET_INFORMATION = 0x1000, 0x200
_SET_QUOTA, _TERMINATE = 0x100, 0x1
_KILL_ON_CLOSE, _EXTENDED_LIMITS, _EXTENDED_SIZE, _FLAGS_AT = 0x2000, 9, 144, 16
"""JOBOBJECT_EXTENDED_LIMIT_INFORMATION of 64-bit Windows: bytes, and the offset of LimitFlags."""

_STILL_ACTIVE, _ACCESS_DENIED = 259, 5
_NORMAL, _BELOW_NORMAL, _IDLE = 0x20, 0x4000, 0x40
_LOCKED_BYTE = 2**30
"""The byte that `lock` locks, behind any content, which Windows lets no other process read."""


class Windows(System):
    """Windows; `kernel32`, `msvcrt` and `run` stand for its libraries and its programs in tests."""

    new_group: Mapping[str, Any] = {"creationflags": _NEW_PROCESS_GROUP}
    own_session: Mapping[str, Any] = {"creationflags": _NEW_PROCESS_GROUP | _DETACHED}

    def __init__(self, *, kernel32: Any = None, msvcrt: Any = None, run: Callable[..., Any] | None = None) -> None:
        self._given_kernel32, self._given_msvcrt, self._given_run = kernel32, msvcrt, run
        self._job: Any = None  # of our children, once there are any

    @property
    def _run(self) -> Callable[..., Any]:
        run: Callable[..., Any] = self._given_run or import_module("subprocess").run
        return run

    @property
    def _kernel32(self) -> Any:
        return self._given_kernel32 or import_module("ctypes").WinDLL("kernel32", use_last_error=True)

    @property
    def _msvcrt(self) -> Any:
        return self._given_msvcrt or import_module("msvcrt")

    def open_device(self, path: Path) -> int:
        raise OSError(errno.ENOTSUP, "Windows has no files of devices", str(path))

    def _open(self, path: Path, *, follow: bool) -> int:
        status = path.stat() if follow else path.lstat()
        if not stat.S_ISREG(status.st_mode) or path.is_reserved():  # opening a device such as con would wait for keys
            raise NotRegularError(f"no plain file: {str(path)!r}")
        return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0))

    def lock(self, file: int, *, shared: bool = False) -> bool:
        """`shared` is not known to Windows: one reader at a time finds the file free."""
        msvcrt = self._msvcrt
        before = os.lseek(file, 0, os.SEEK_CUR)
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, before, os.SEEK_SET)
        return True

    def flush(self, file: int) -> None:
        os.fsync(file)  # FlushFileBuffers, which needs a descriptor that may write

    def flush_folder(self, folder: Path) -> None:
        """NTFS keeps its entries in a journal of its own, and folders cannot be opened."""

    @property
    def _user(self) -> int:
        return 0  # st_uid of every file

    def is_alive(self, process_id: int) -> bool:
        if not 0 < process_id < 2**32:  # DWORD
            return False
        kernel32, ctypes = self._kernel32, import_module("ctypes")
        handle = kernel32.OpenProcess(_QUERY_LIMITED, False, process_id)
        if not handle:
            return bool(kernel32.GetLastError() == _ACCESS_DENIED)
        status = ctypes.c_ulong()
        found = kernel32.GetExitCodeProcess(handle, ctypes.byref(status))
        kernel32.CloseHandle(handle)
        return bool(found) and status.value == _STILL_ACTIVE

    def end_group(self, process_id: int) -> None:
        self._run(["taskkill", "/F", "/T", "/PID", str(process_id)], capture_output=True, check=False)

    def ask_to_end(self, process_id: int) -> None:
        with contextlib.suppress(OSError):  # there is no such process
            os.kill(process_id, signal.SIGTERM)

    def end_with_parent(self) -> None:
        """Nothing: the parent asks by `adopt`."""

    def allow_connections(self) -> None:
        """Windows has no limit to raise."""

    def limit_memory(self, size: int) -> None:
        """Nothing: only a job could, and one process can be in a single job on older systems."""

    def is_child_of(self, process_id: int) -> bool:
        return self.is_alive(process_id)

    def adopt(self, process_id: int) -> None:
        """Put it into a job that Windows ends with the last handle to it, which this process holds."""
        kernel32 = self._kernel32
        self._job = self._job or _make_job(kernel32)
        handle = kernel32.OpenProcess(_SET_QUOTA | _TERMINATE, False, process_id)
        if handle:
            kernel32.AssignProcessToJobObject(self._job, handle)
            kernel32.CloseHandle(handle)

    def become(self, command: Sequence[str]) -> NoReturn:
        """Windows cannot replace a process: this one waits for the other."""
        sys.exit(self._run(list(command), check=False).returncode)

    def give_way(self, nice: int, *, process_id: int = 0) -> None:
        if nice > 0:
            self._set_priority(process_id or os.getpid(), _IDLE if nice >= 15 else _BELOW_NORMAL)

    def interrupt_nobody(self) -> None:
        """Windows has no scheduling of this kind."""

    def put_aside(self, process_id: int, *, is_aside: bool) -> None:
        self._set_priority(process_id, _BELOW_NORMAL if is_aside else _NORMAL)

    def _set_priority(self, process_id: int, priority: int) -> None:
        kernel32 = self._kernel32
        handle = kernel32.OpenProcess(_SET_INFORMATION, False, process_id)
        if handle:
            kernel32.SetPriorityClass(handle, priority)
            kernel32.CloseHandle(handle)

    def trim_memory(self) -> None:
        """The heap of Windows gives it back by itself."""

    def share_heap(self) -> None:
        """Windows has one heap."""

    def pass_on(self, descriptors: Sequence[int]) -> tuple[list[str], dict[str, Any]]:
        handles = [self._msvcrt.get_osfhandle(one) for one in descriptors]
        return [str(one) for one in handles], self._inheriting(handles)

    def received(self, word: str) -> int:
        return int(self._msvcrt.open_osfhandle(int(word), os.O_RDWR))

    def pass_on_connection(self, connection: Any) -> tuple[str, dict[str, Any]]:
        handle = connection.fileno()  # a Windows handle, not a descriptor
        return str(handle), self._inheriting([handle])

    def received_connection(self, word: str) -> Connection:
        made: Connection = import_module("multiprocessing.connection").PipeConnection(int(word))
        return made

    def waiter(self, connection: Connection) -> Callable[[float], bool]:
        return connection.poll

    def _inheriting(self, handles: Sequence[int]) -> dict[str, Any]:
        """Popen arguments: without a list of handles a child would inherit none, `close_fds` being the default."""
        for handle in handles:
            self._kernel32.SetHandleInformation(handle, 1, 1)  # HANDLE_FLAG_INHERIT
        return {"handles": tuple(handles)}

    def child_arguments(self, *arguments: Mapping[str, Any]) -> dict[str, Any]:
        merged = super().child_arguments(*arguments)
        startup = import_module("subprocess").STARTUPINFO()
        startup.lpAttributeList = {"handle_list": list(merged.pop("handles", ()))}
        return {**merged, "startupinfo": startup}


def _make_job(kernel32: Any) -> Any:
    """A job whose processes end when its last handle is closed, however its owner ends."""
    ctypes = import_module("ctypes")
    job = kernel32.CreateJobObjectW(None, None)
    limits = ctypes.create_string_buffer(_EXTENDED_SIZE)
    limits[_FLAGS_AT : _FLAGS_AT + 4] = _KILL_ON_CLOSE.to_bytes(4, "little")
    kernel32.SetInformationJobObject(job, _EXTENDED_LIMITS, limits, _EXTENDED_SIZE)
    return job
