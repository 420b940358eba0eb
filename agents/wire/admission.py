"""Admission: decides which peers of our bound sockets are let in (ZAP, ZeroMQ's RFC 27)."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Sequence

import zmq

from agents.wire.keys import Keys

INSECURE_DOMAIN = b"insecure"
"""The ZAP domain of sockets whose peers need no key."""

GUESTS_DOMAIN = b"guests"
"""The ZAP domain of sockets that admit every key, and check their peers in another way."""

NO_KEY = "-"
"""The id of peers without a key."""

_VERSION = b"1.0"
_log = logging.getLogger(__name__)
_lock = threading.Lock()
_domains: dict[bytes, Keys] = {}
_current: tuple[int, zmq.Context[zmq.Socket[bytes]]] | None = None  # of the process with this id


def context() -> zmq.Context[zmq.Socket[bytes]]:
    """The context of all our sockets in this process, in which every peer is admitted or refused.

    It is our own: a program that uses this library may decide differently about its other sockets.
    """
    global _current
    with _lock:
        if _current is None or _current[0] != os.getpid():  # the first, or a fork
            _current = os.getpid(), zmq.Context()
            threading.Thread(target=_serve, args=(_bind(_current[1]),), name="admission", daemon=True).start()
        return _current[1]


def domain_of(keys: Keys) -> bytes:
    """The ZAP domain of sockets whose peers need a key that `keys` admits."""
    with _lock:
        domain = next((name for name, known in _domains.items() if known.folder == keys.folder), b"")
        return domain or _register(keys)


def _register(keys: Keys) -> bytes:
    domain = b"keys-%d" % len(_domains)
    _domains[domain] = keys
    return domain


def _bind(context: zmq.Context[zmq.Socket[bytes]]) -> zmq.Socket[bytes]:
    socket = context.socket(zmq.REP)
    socket.bind("inproc://zeromq.zap.01")
    return socket


def _serve(socket: zmq.Socket[bytes]) -> None:
    """Answer libzmq, which asks once for each new connection, until the context ends."""
    with contextlib.suppress(zmq.ZMQError):
        while True:
            socket.send_multipart(_answer(socket.recv_multipart()))


def _answer(request: Sequence[bytes]) -> list[bytes]:
    _, id, domain, address, _, mechanism, *credentials = request
    try:
        user = _user(domain, mechanism, credentials)
    except Exception:  # noqa: BLE001  # this peer stays outside; without an answer all later ones would
        _log.exception("the keys cannot be read")
        user = None
    if user is None:
        _log.info("refused a peer at %s", address.decode("utf-8", "replace"))
        return [_VERSION, id, b"400", b"not allowed", b"", b""]
    return [_VERSION, id, b"200", b"OK", user, b""]


def _user(domain: bytes, mechanism: bytes, credentials: Sequence[bytes]) -> bytes | None:
    """The id of a peer that is let in: its key, in hexadecimal digits; None for one that is refused."""
    if domain == INSECURE_DOMAIN:
        return NO_KEY.encode() if mechanism == b"NULL" else None
    if mechanism != b"CURVE" or len(credentials) != 1:
        return None
    if domain != GUESTS_DOMAIN and not _domains[domain].admits(credentials[0]):
        return None
    return credentials[0].hex().encode()
