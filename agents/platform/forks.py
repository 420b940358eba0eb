"""Forks: copies of this process, each waiting at the moment that it was made at, to continue from there at any time.

One of the processes lives, the others wait.  To go back, the living one hands its descriptors to the copy of that
moment and ends; the copy forks, and that child lives from then on.  The very first process does not end: it waits for
the one that lives, so that the process that started it can still end all of them by ending it.
"""

from __future__ import annotations

import os
import pickle
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

POSSIBLE = hasattr(os, "fork")
"""Whether this system has forks."""

_SIZE = struct.Struct("<I")


class Woken(NamedTuple):
    """What the copy gets that lives from now on."""

    message: Any
    descriptors: list[int]


class _Copy(NamedTuple):
    control: socket.socket  # our end of a pair; the copy ends when all of these are closed
    process_id: int


class Forks:
    """The copies of one process; they end with the process that lives."""

    MOST = 48

    def __init__(self) -> None:
        self._copies: dict[int, _Copy] = {}
        self._life: socket.socket | None = None  # of the living process alone; the first one waits for its end
        self._first: int | None = None  # a pipe that ends with the first process; None in that one

    @property
    def numbers(self) -> tuple[int, ...]:
        """The copies that there are."""
        return tuple(self._copies)

    def keep(self, number: int, close: Callable[[], object]) -> Woken | None:
        """Make a copy of that number: None, and in a copy that lives from now on what `go_back` gave it.

        The copy calls `close` first, to let go of the descriptors that will be given.  Raises OSError without room.
        """
        if len(self._copies) >= self.MOST:
            raise OSError(f"expected at most {self.MOST} copies of a process, got one more")
        ours, theirs = socket.socketpair()
        process_id = os.fork()
        if process_id:
            theirs.close()
            self._copies[number] = _Copy(ours, process_id)
            return None
        close()
        ours.close()
        self._let_go()
        return self._wait(theirs)

    def drop(self, number: int) -> None:
        """End a copy."""
        control, process_id = self._copies.pop(number)
        control.close()
        with suppress(ChildProcessError):  # it is the child of another copy
            os.waitpid(process_id, 0)

    def go_back(self, number: int, message: Any, descriptors: list[int]) -> None:
        """Let that copy live in place of this process, with these descriptors; raises OSError where it is gone."""
        ended: socket.socket | None = None
        if self._first is None:
            ended, self._life = socket.socketpair()
            self._first, _stays_open = os.pipe()
        assert self._life is not None
        given = [
            *descriptors,
            self._life.fileno(),
            self._first,
            *(one.control.fileno() for one in self._copies.values()),
        ]
        ids = {place: one.process_id for place, one in self._copies.items()}
        control, body = self._copies[number].control, pickle.dumps((message, len(descriptors), ids))
        control.sendall(_SIZE.pack(len(body)) + body)
        socket.send_fds(control, [b"+"], given)
        if ended is not None:
            for descriptor in descriptors:
                os.close(descriptor)
            self._let_go()
            ended.recv(1)  # until the process that lives has ended
            os._exit(1)
        os._exit(0)

    def _let_go(self) -> None:
        """Close what belongs to the living process."""
        for copy in self._copies.values():
            copy.control.close()
        self._copies.clear()
        if self._life is not None:
            self._life.close()
        if self._first is not None:
            os.close(self._first)
        self._life = self._first = None

    def _wait(self, control: socket.socket) -> Woken:
        """In a copy: wait to be woken, each time in a child of its own; end with the process that lives."""
        newest = 0
        while (woken := self._receive(control)) is not None:
            if newest:
                os.waitpid(newest, 0)  # it has ended, or is about to
            newest = os.fork()
            if not newest:
                control.close()
                assert self._first is not None
                threading.Thread(target=_end_after, args=(self._first,), name="first", daemon=True).start()
                return woken
            self._let_go()
            for descriptor in woken.descriptors:
                os.close(descriptor)
        os._exit(0)

    def _receive(self, control: socket.socket) -> Woken | None:
        """What the living process sent; None where it has ended, or dropped this copy."""
        head = _read(control, _SIZE.size)
        body = _read(control, _SIZE.unpack(head)[0]) if head else b""
        if not body:
            return None
        message, own, ids = pickle.loads(body)  # noqa: S301  (of a copy of this very process)
        _plus, found, _flags, _address = socket.recv_fds(control, 1, own + 2 + len(ids))
        given, (life, self._first), controls = found[:own], found[own : own + 2], found[own + 2 :]
        self._life = socket.socket(fileno=life)
        self._copies = {
            number: _Copy(socket.socket(fileno=descriptor), process_id)
            for (number, process_id), descriptor in zip(ids.items(), controls, strict=True)
        }
        return Woken(message, given)


def _end_after(descriptor: int) -> None:
    """End with the process at the other end, whatever this one is doing then."""
    os.read(descriptor, 1)
    os._exit(1)


def _read(control: socket.socket, size: int) -> bytes:
    """That many bytes; none at the end."""
    found = b""
    while len(found) < size:
        part = control.recv(size - len(found))
        if not part:
            return b""
        found += part
    return found
