"""Throttle: slows the connections of peers beyond their limits."""

from __future__ import annotations

import socket
from contextlib import suppress

from agents.platform.borrowed_socket import borrowed
from agents.wire.limits import NARROW_BYTES, NARROW_SECONDS, WIDE_BYTES


class Throttle:
    """Gives a TCP connection a receive buffer of a few KiB for a second.

    The peer's own system then holds back what the peer sends, so that reading it costs nothing here; one message at a
    time, each after the answer to the last, fits in and is as fast as before.
    """

    def __init__(self) -> None:
        self._until: dict[int, float] = {}  # by descriptor

    def narrow(self, descriptor: int, now: float) -> None:
        """Slow the connection down, unless it is."""
        if descriptor not in self._until and _resize(descriptor, NARROW_BYTES):
            self._until[descriptor] = now + NARROW_SECONDS

    def widen(self, now: float) -> None:
        """Let the connections go whose time is over."""
        for descriptor in [one for one, until in self._until.items() if now >= until]:
            del self._until[descriptor]
            _resize(descriptor, WIDE_BYTES)


def _resize(descriptor: int, size: int) -> bool:
    """False where the connection has ended."""
    with suppress(OSError), borrowed(descriptor) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
        return True
    return False
