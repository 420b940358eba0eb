"""Opening the listening ends of the wire."""

from __future__ import annotations

from collections.abc import Sequence

import zmq

from agents.wire.encoding import MAX_MESSAGE_BYTES


def bind_socket(kind: int, endpoint: str) -> tuple[zmq.Socket[bytes], str]:
    """A socket of zmq's `kind` bound to `endpoint`, and where it listens (port ``*`` finds a free one).

    It takes no message above the wire's limit, and no peer of a ZeroMQ older than 4.  Raises OSError where the
    endpoint is none or is taken.
    """
    socket: zmq.Socket[bytes] = zmq.Context.instance().socket(kind)
    socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
    # A domain makes libzmq refuse peers of ZMTP 1 and 2, whose greeting a web page's POST can spell; current peers
    # are refused by it only with ZAP_ENFORCE_DOMAIN.
    socket.setsockopt(zmq.ZAP_DOMAIN, b"arcade")
    try:
        socket.bind(endpoint)
    except zmq.ZMQError as error:
        socket.close(linger=0)
        raise OSError(f"expected a free endpoint like tcp://127.0.0.1:5555, got {endpoint!r}: {error}") from error
    return socket, socket.get_string(zmq.LAST_ENDPOINT).rstrip("\0")


def is_envelope(sender: Sequence[bytes]) -> bool:
    """Whether these frames may stand before a message: the client's identity, and a REQ client's empty frame."""
    return len(sender) == 1 or (len(sender) == 2 and not sender[1])
