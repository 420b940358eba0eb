"""The system calls of a forked child that change files, and faults at any of them: Linux on x86-64, by ptrace.

SQLite, zlib and Python alike go through them, so nothing needs to be replaced for a fault::

    run = trace(lambda: save(path), below=folder, fault=Fault("kill", at=3))
    run.calls           # Call("openat", ".../.a.json.17.part"), Call("write", …), …
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

IS_KNOWN = sys.platform == "linux" and platform.machine() == "x86_64"

_TRACEME, _POKEUSER, _SYSCALL, _SETOPTIONS, _INFO = 0, 6, 24, 0x4200, 0x420E  # <sys/ptrace.h>
_OPTIONS = 1 | 2 | 4 | 8 | 0x100000  # mark system calls; follow forks and threads; end with us
_RAX, _RDX, _CALL = 80, 96, 120  # offsets in struct user of <sys/user.h>
_ALL_THREADS = 0x40000000  # __WALL

BY_FILE = {1: "write", 18: "write", 20: "write", 296: "write", 40: "write", 326: "write",
           74: "fsync", 75: "fsync", 77: "truncate", 285: "allocate", 91: "chmod"}  # fmt: skip
"""Calls whose first argument is a descriptor; sendfile and its like write to it too."""

BY_PATH = {76: (0,), 82: (0, 1), 83: (0,), 84: (0,), 86: (0, 1), 87: (0,), 90: (0,), 88: (1,)}
BY_FOLDER = {257: (1,), 258: (1,), 263: (1,), 264: (1, 3), 265: (1, 3), 316: (1, 3), 268: (1,)}
"""Places of the paths among the arguments; those of the second follow the descriptor of their folder."""

NAMES = {76: "truncate", 82: "rename", 83: "mkdir", 84: "rmdir", 86: "link", 87: "unlink", 88: "symlink", 90: "chmod",
         257: "open", 258: "mkdir", 263: "unlink", 264: "rename", 265: "link", 316: "rename", 268: "chmod"}  # fmt: skip


class Fault(NamedTuple):
    """What happens at the `at`-th call, from 1: "kill" before it, "torn" after half of a write, or an `errno`."""

    kind: str
    at: int
    errno: int = 0


class Call(NamedTuple):
    """A call that changes files."""

    name: str
    path: str
    target: str = ""  # of a rename or link
    size: int = 0  # bytes of a write


@dataclass
class Run:
    """How a traced child went."""

    calls: list[Call] = field(default_factory=list)
    struck: bool = False  # the fault had its call
    killed: bool = False
    error: str = ""  # the exception that ended it


def trace(work: Callable[[], object], *, below: Path, fault: Fault | None = None) -> Run:
    """Run `work` in a fork, in which the calls on files in `below` are counted, and `fault` strikes one of them."""
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            _be_traced(work, errors.fileno())
        run = _Tracer(child, str(below), fault).follow()
        errors.seek(0)
        run.error = errors.read().decode(errors="replace")
    return run


def _be_traced(work: Callable[[], object], errors: int) -> None:
    try:
        if _libc().ptrace(_TRACEME, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "ptrace")
        os.kill(os.getpid(), signal.SIGSTOP)
        work()
        os._exit(0)
    except BaseException as error:  # noqa: BLE001
        os.write(errors, f"{type(error).__name__}: {error}".encode())
    finally:
        os._exit(1)


class _Tracer:
    def __init__(self, child: int, below: str, fault: Fault | None) -> None:
        self._child, self._below, self._fault = child, below, fault
        self._libc, self._info = _libc(), ctypes.create_string_buffer(88)
        self._run, self._due = Run(), dict[int, Fault]()  # thread → the fault at the end of its call

    def follow(self) -> Run:
        os.waitpid(self._child, 0)
        self._libc.ptrace(_SETOPTIONS, self._child, 0, _OPTIONS)
        self._go_on(self._child)
        while True:
            thread, status = os.waitpid(-1, _ALL_THREADS)
            if os.WIFSTOPPED(status):
                self._stopped(thread, status)
            elif thread == self._child:
                self._run.killed = os.WIFSIGNALED(status)
                return self._run

    def _stopped(self, thread: int, status: int) -> None:
        number = os.WSTOPSIG(status)
        if number == signal.SIGTRAP | 0x80:
            self._call(thread)
        ours = number in (signal.SIGTRAP | 0x80, signal.SIGTRAP, signal.SIGSTOP)  # new threads begin with a stop
        self._go_on(thread, 0 if ours else number)

    def _go_on(self, thread: int, number: int = 0) -> None:
        self._libc.ptrace(_SYSCALL, thread, 0, number)

    def _call(self, thread: int) -> None:
        if self._libc.ptrace(_INFO, thread, len(self._info), ctypes.addressof(self._info)) <= 0:
            return  # it was killed meanwhile
        numbers = [int.from_bytes(self._info.raw[at : at + 8], "little") for at in range(24, 80, 8)]
        if self._info.raw[0] == 2:
            self._end(thread)
        elif (call := self._read(thread, numbers[0], numbers[1:])) is not None:
            self._run.calls.append(call)
            if self._fault and self._fault.at == len(self._run.calls):
                self._strike(thread, call, self._fault)

    def _strike(self, thread: int, call: Call, fault: Fault) -> None:
        self._run.struck = True
        if fault.kind == "kill" or (fault.kind == "torn" and call.size < 2):
            os.kill(self._child, signal.SIGKILL)
            return
        self._due[thread] = fault
        if fault.kind == "torn":
            self._libc.ptrace(_POKEUSER, thread, _RDX, call.size // 2)
        else:
            self._libc.ptrace(_POKEUSER, thread, _CALL, -1)

    def _end(self, thread: int) -> None:
        fault = self._due.pop(thread, None)
        if fault and fault.kind == "torn":
            os.kill(self._child, signal.SIGKILL)
        elif fault:
            self._libc.ptrace(_POKEUSER, thread, _RAX, -fault.errno)

    def _read(self, thread: int, number: int, arguments: list[int]) -> Call | None:
        """The call, None for one that changes no file of interest."""
        if number in BY_FILE:
            size = arguments[2] if number in (1, 18) else 0
            call = Call(BY_FILE[number], _link(f"/proc/{thread}/fd/{arguments[0]}"), size=size)
        elif number in BY_PATH:
            call = Call(NAMES[number], *(self._path(thread, arguments[at]) for at in BY_PATH[number]))
        elif number in BY_FOLDER and (number != 257 or arguments[2] & os.O_CREAT):
            paths = (self._path(thread, arguments[at], arguments[at - 1]) for at in BY_FOLDER[number])
            call = Call(NAMES[number], *paths)
        else:
            return None
        return call if call.path.startswith(self._below) else None

    def _path(self, thread: int, address: int, folder: int = 0xFFFFFF9C) -> str:
        with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            text = (memory.read(1024) or b"").partition(b"\0")[0].decode(errors="replace")
        is_here = folder & 0xFFFFFFFF == 0xFFFFFF9C  # AT_FDCWD
        return os.path.join(_link(f"/proc/{thread}/{'cwd' if is_here else f'fd/{folder}'}"), text)


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype, libc.ptrace.argtypes = ctypes.c_long, [ctypes.c_long] * 4
    return libc
