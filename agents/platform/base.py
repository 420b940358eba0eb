"""System: what the arcade asks of an operating system beyond what Python does the same everywhere."""

from __future__ import annotations

import errno
import mmap
import os
import signal
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:  # imported before the first frame
    from multiprocessing.connection import Connection


class NotRegularError(OSError):
    """A folder, pipe, device or link in the place of a file."""


class System(ABC):
    """One kind of operating system; every method may be called from any thread."""

    new_group: Mapping[str, Any]
    """Popen arguments of a program that Ctrl-C in our terminal does not reach; see `end_group`."""

    own_session: Mapping[str, Any]
    """Popen arguments of a program that outlives our terminal."""

    @property
    def stop_signals(self) -> tuple[signal.Signals, ...]:
        """The signals that ask a program to end: SIGTERM, SIGINT, and the one of a closed terminal."""
        names = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
        return tuple(getattr(signal, name) for name in names if hasattr(signal, name))

    def open_regular(self, path: Path, *, follow: bool = True) -> int:
        """Open a file for reading without waiting for anything; the caller closes the descriptor.

        Raises NotRegularError for a pipe, a device or a folder, and without `follow` for a link; else OSError.
        """
        try:
            handle = self._open(path, follow=follow)
        except OSError as error:
            if error.errno == errno.ELOOP:  # a link, or links in a circle
                raise NotRegularError(error.errno, error.strerror, str(path)) from error
            raise
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return handle
        os.close(handle)
        raise NotRegularError(f"no plain file: {str(path)!r}")

    @abstractmethod
    def open_device(self, path: Path) -> int:
        """Open a device such as a keyboard for reading without ever waiting for it; raises OSError."""

    @abstractmethod
    def _open(self, path: Path, *, follow: bool) -> int: ...

    @abstractmethod
    def lock(self, file: int, *, shared: bool = False) -> bool:
        """Lock an open file at once until it is closed, also by a kill; False where another process has it."""

    @abstractmethod
    def flush(self, file: int) -> None:
        """Bring an open file to the disk, past the disk's own cache where the system can."""

    def flush_file(self, path: Path) -> None:
        """Bring a closed file to the disk."""
        with path.open("rb+") as file:
            self.flush(file.fileno())

    @abstractmethod
    def flush_folder(self, folder: Path) -> None:
        """Bring the entries of a folder to the disk, where the system keeps them apart from files."""

    @property
    def has_graphics_card(self) -> bool:
        """Whether something else than the processor can draw a window, as far as the system tells."""
        return True

    def owns(self, path: Path) -> bool:
        """Whether the user of this process owns a file or folder; raises OSError."""
        return path.stat().st_uid == self._user

    @property
    @abstractmethod
    def _user(self) -> int: ...

    @abstractmethod
    def is_alive(self, process_id: int) -> bool:
        """Whether a process of this id exists, of any owner."""

    @abstractmethod
    def end_group(self, process_id: int) -> None:
        """End a program started with `new_group`, and the programs that it has started."""

    @abstractmethod
    def ask_to_end(self, process_id: int) -> None:
        """Send a process of ours SIGTERM, where it has not ended meanwhile; Windows ends it at once."""

    @abstractmethod
    def become(self, command: Sequence[str]) -> NoReturn:
        """Run another program in place of this one; its exit status becomes ours."""

    @abstractmethod
    def give_way(self, nice: int, *, process_id: int = 0) -> None:
        """Lower the priority of a process (0: this one) to `nice`, 0 (normal) to 19 (lowest)."""

    @abstractmethod
    def interrupt_nobody(self) -> None:
        """Have this thread, and those that it starts, wait for a turn when they wake, where the kernel can.

        What woke it continues with its own work meanwhile: a window with its frame.
        """

    @property
    def set_apart(self) -> Mapping[str, Any]:
        """Popen arguments of a child for `put_aside`."""
        return {}

    @abstractmethod
    def put_aside(self, process_id: int, *, is_aside: bool) -> None:
        """Have a child that was started with `set_apart` give way to others for a while, or no more."""

    @abstractmethod
    def end_with_parent(self) -> None:
        """Have the kernel kill this process when the thread that started it ends, where it can."""

    @abstractmethod
    def is_child_of(self, process_id: int) -> bool:
        """Whether that process started this one, and still runs."""

    @abstractmethod
    def adopt(self, process_id: int) -> None:
        """Have the kernel kill that child of ours when we end, where a parent has to ask for it."""

    def guard_command(self, parent: int, name: str) -> list[str]:
        """A program that kills what children of that name have started at the end of its input; [] for none."""
        return []

    def tied(self, command: Sequence[str]) -> list[str]:
        """`command`, changed so that the kernel kills the program when the thread that starts it ends, where it can."""
        return list(command)

    @abstractmethod
    def allow_connections(self) -> None:
        """Let this process have many files and connections open, where the system has a lower limit by default."""

    @abstractmethod
    def limit_memory(self, size: int) -> None:
        """Let this process take `size` more bytes at most, and write no files, where the system can limit that."""

    def received_bytes(self, connection: int) -> int | None:
        """The bytes that a TCP connection has received so far; None where the system does not tell, or it has ended."""
        return None

    @abstractmethod
    def trim_memory(self) -> None:
        """Give memory that was freed back to the system, where the allocator would keep it."""

    @abstractmethod
    def share_heap(self) -> None:
        """Let all threads that start later share one heap, where the allocator has one for each."""

    def reserve_memory(self, size: int) -> mmap.mmap:
        """Zeros for this process alone, outside the heap; memory is taken for what is written to."""
        return mmap.mmap(-1, size)

    def anonymous_file(self) -> int:
        """A descriptor of memory to share with a child, which goes with its last holder; the caller closes it."""
        if hasattr(os, "memfd_create"):
            return os.memfd_create("arcade", 0)
        import tempfile  # on demand: the first frame does not need it

        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())

    @abstractmethod
    def pass_on(self, descriptors: Sequence[int]) -> tuple[list[str], dict[str, Any]]:
        """Words that name `descriptors` to a child, and the Popen arguments that let it inherit them."""

    @abstractmethod
    def received(self, word: str) -> int:
        """The descriptor that the parent named by a word of `pass_on`."""

    @abstractmethod
    def pass_on_connection(self, connection: Any) -> tuple[str, dict[str, Any]]:
        """The same for one end of ``multiprocessing.Pipe()``."""

    @abstractmethod
    def received_connection(self, word: str) -> Connection:
        """The connection that the parent named by `pass_on_connection`."""

    @abstractmethod
    def waiter(self, connection: Connection) -> Callable[[float], bool]:
        """A function that waits at most so many seconds for a message, and says whether there is one."""

    def child_arguments(self, *arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Popen arguments of several calls of `pass_on` and `pass_on_connection` as one."""
        merged: dict[str, Any] = {}
        for each in arguments:
            for name, value in each.items():
                merged[name] = (*merged.get(name, ()), *value) if isinstance(value, tuple) else value
        return merged
