"""TCP connections to our sockets without a ZeroMQ library: bytes of any protocol, or the handshake of ZMTP 3.0."""

from __future__ import annotations

import socket

from tests.support.attacks import LIMIT

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
READY = b"\x04\x1c\x05READY\x0bSocket-Type\0\0\0\x06DEALER"
_ANSWER = b"ROUTER\x08Identity" + bytes(4)
"""The end of a server's own READY."""


def connect(endpoint: str, *, timeout: float = LIMIT) -> socket.socket:
    """A connection that says nothing yet, whose calls wait so many seconds at most."""
    host, _, port = endpoint.removeprefix("tcp://").rpartition(":")
    found = socket.create_connection((host, int(port)), timeout=LIMIT)
    found.settimeout(timeout)
    return found


def join(endpoint: str, *, timeout: float = LIMIT) -> socket.socket:
    """A connection that has shaken hands: what follows is taken for frames, not for the rest of a greeting."""
    found, answer = connect(endpoint), b""
    found.sendall(GREETING + READY)
    while not answer.endswith(_ANSWER):
        received = found.recv(4096)
        assert received, "the handshake failed"
        answer += received
    found.settimeout(timeout)
    return found
