"""ZeroMQ sockets: options, binding, and the form of envelopes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import zmq

from agents.closing import Closing
from agents.wire.encoding import MAX_MESSAGE_BYTES


class WireSocket(Closing):
    """A socket of the wire."""

    _LINGER_MS: ClassVar[int] = 0
    """How long messages that are being sent may take to leave after `close`."""

    def __init__(self, socket: zmq.Socket[bytes], endpoint: str) -> None:
        self._socket, self.endpoint = socket, endpoint

    def close(self) -> None:
        if not self._socket.closed:
            self._socket.close(linger=self._LINGER_MS)

    def _receive(self, timeout: float, limit: int) -> Iterator[list[bytes]]:
        """The frames of the messages that have arrived, `limit` at most; waits at most `timeout` for the first."""
        if timeout > 0:
            self._socket.poll(int(timeout * 1000))
        for _ in range(limit):
            if not int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
                return
            yield self._socket.recv_multipart(zmq.NOBLOCK)


def open_socket(kind: int) -> zmq.Socket[bytes]:
    """A socket of zmq's `kind` that takes no message above the wire's limit."""
    socket: zmq.Socket[bytes] = zmq.Context.instance().socket(kind)
    socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
    socket.setsockopt(zmq.LINGER, 0)
    return socket


def bind_socket(kind: int, endpoint: str) -> tuple[zmq.Socket[bytes], str]:
    """A socket bound to `endpoint`, and the endpoint that it has (port ``*`` finds a free one).

    Peers of a ZeroMQ older than 4 are refused.  Raises OSError for an endpoint that is invalid or in use.
    """
    socket = open_socket(kind)
    # A domain makes libzmq refuse peers of ZMTP 1 and 2, whose greeting a web page's POST can spell; current peers
    # are refused by it only with ZAP_ENFORCE_DOMAIN.
    socket.setsockopt(zmq.ZAP_DOMAIN, b"arcade")
    try:
        socket.bind(endpoint)
    except zmq.ZMQError as error:
        socket.close(linger=0)
        raise OSError(f"expected a free endpoint like tcp://127.0.0.1:5555, got {endpoint!r}: {error}") from error
    return socket, socket.get_string(zmq.LAST_ENDPOINT).rstrip("\0")


def is_envelope(frames: Sequence[bytes]) -> bool:
    """Whether these frames may precede a message: the client's identity, and a REQ client's empty frame."""
    return len(frames) == 1 or (len(frames) == 2 and not frames[1])
