"""Sockets of descriptors that a library owns, for calls that Python has only as methods of a socket."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def borrowed(descriptor: int) -> Iterator[socket.socket]:
    """The socket of a descriptor that libzmq owns and closes; raises OSError where it has ended."""
    connection = socket.socket(fileno=descriptor)
    try:
        yield connection
    finally:
        connection.detach()
