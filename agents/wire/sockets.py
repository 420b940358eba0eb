"""ZeroMQ sockets: options, keys, binding and connecting, and the form of envelopes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import zmq

from agents.closing import Closing
from agents.platform import system
from agents.wire.addresses import Address, AddressError, parse_address
from agents.wire.admission import GUESTS_DOMAIN, INSECURE_DOMAIN, NO_KEY, context, domain_of
from agents.wire.connections import Connections
from agents.wire.handshakes import Handshakes
from agents.wire.keys import Keys
from agents.wire.limits import (
    HANDSHAKE_MS,
    MAX_EVENT_BYTES,
    MAX_EVENTS_WAITING,
    MAX_REPLIES,
    MAX_REPLY_BYTES,
    MAX_REQUEST_BYTES,
    MAX_REQUESTS_WAITING,
    MAX_SENT,
)
from agents.wire.server_watch import ServerWatch

_RECEIVED: dict[int, tuple[int, int]] = {
    zmq.ROUTER: (MAX_REQUEST_BYTES, MAX_REQUESTS_WAITING),
    zmq.SUB: (MAX_EVENT_BYTES, MAX_EVENTS_WAITING),
}
"""Bytes of a message, and messages of a peer that wait, by the kind of socket."""


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
                self._emptied()
                return
            yield self._take()

    def _take(self) -> list[bytes]:
        """The frames of a message that has arrived."""
        return self._socket.recv_multipart(zmq.NOBLOCK)

    def _emptied(self) -> None:
        """All messages that have arrived were taken."""


class BoundSocket(WireSocket):
    """A socket of zmq's `kind` bound to `endpoint` (port ``*`` finds a free one), for peers whose keys we allow.

    With `insecure` it has no keys: anyone who reaches the endpoint is let in.  Peers of a ZeroMQ older than 4 are
    refused in both cases.  With `guests` any key is let in, and the owner of the socket checks what its peers send.
    Raises OSError for an endpoint that is invalid or in use.
    """

    _WAITING: ClassVar[int] = 0
    """Messages of a peer that wait to be read; 0: as many as the wire has by its kind of socket."""

    def __init__(self, kind: int, endpoint: str, *, insecure: bool = False, guests: bool = False) -> None:
        system.allow_connections()
        socket, key = make_socket(kind), b""
        socket.setsockopt(zmq.HANDSHAKE_IVL, HANDSHAKE_MS)
        if self._WAITING:
            socket.setsockopt(zmq.RCVHWM, self._WAITING)
        # A domain makes libzmq ask `admission` about each peer, and refuse those of ZMTP 1 and 2, whose greeting a web
        # page's POST can spell.
        if insecure:
            socket.setsockopt(zmq.ZAP_DOMAIN, INSECURE_DOMAIN)
        else:
            own = (keys := Keys()).own()
            own.secure(socket)
            socket.setsockopt(zmq.ZAP_DOMAIN, GUESTS_DOMAIN if guests else domain_of(keys))
            key = own.public
        self._own_key = key.hex()
        self._newest: zmq.Frame | None = None  # the last frame of the message taken last
        self._connections = Connections(socket)
        try:
            socket.bind(endpoint)
        except zmq.ZMQError as error:
            socket.close(linger=0)  # ends the thread of the connections too
            raise OSError(f"expected a free endpoint like tcp://127.0.0.1:5555, got {endpoint!r}: {error}") from error
        super().__init__(socket, socket.get_string(zmq.LAST_ENDPOINT).rstrip("\0"))
        self.address = Address(self.endpoint, key, insecure)
        """The endpoint with the key, for other machines and people."""

    def _take(self) -> list[bytes]:
        frames = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
        if self._connections.is_looking:
            self._connections.heard(frames[-1])
        self._newest = frames[-1]
        return [frame.bytes for frame in frames]

    def _key_of(self, frame: zmq.Frame) -> str:
        """The key of the peer that sent a frame; "" for our own, whose connections are many programs, and for none."""
        try:
            user = str(frame.get("User-Id"))
        except zmq.ZMQError:
            return ""
        return "" if user in (self._own_key, NO_KEY) else user

    def _emptied(self) -> None:
        self._connections.emptied()


class ConnectedSocket(WireSocket):
    """A socket of zmq's `kind` connected to the server at `address`; it reconnects by itself.

    Raises AddressError for an invalid address.
    """

    def __init__(self, kind: int, address: str) -> None:
        parsed = parse_address(address)
        super().__init__(connecting_socket(kind, parsed), parsed.endpoint)
        self._watch = ServerWatch(self._socket)
        self._handshakes = Handshakes(self._socket, parsed, self._watch)
        try:
            self._handshakes.dial()
        except AddressError:
            self.close()
            raise

    @property
    def refusal(self) -> str:
        """Why the server refuses this socket, and how to mend it; "" where it does not."""
        refusal = self._handshakes.check()
        return f"no access to {self.endpoint}: {refusal}" if refusal else ""

    def close(self) -> None:
        self._watch.close()
        super().close()

    def _take(self) -> list[bytes]:
        frames = super()._take()
        self._watch.took(sum(map(len, frames)))
        return frames

    def _receive(self, timeout: float, limit: int) -> Iterator[list[bytes]]:
        self._handshakes.check()
        return super()._receive(timeout, limit)


def make_socket(kind: int) -> zmq.Socket[bytes]:
    """A socket of zmq's `kind` that holds no more, and takes no larger messages, than the wire's limits."""
    socket: zmq.Socket[bytes] = context().socket(kind)
    most_bytes, most_messages = _RECEIVED.get(kind, (MAX_REPLY_BYTES, MAX_REPLIES))
    socket.setsockopt(zmq.MAXMSGSIZE, most_bytes)
    socket.setsockopt(zmq.RCVHWM, most_messages)
    socket.setsockopt(zmq.SNDHWM, MAX_SENT)
    socket.setsockopt(zmq.LINGER, 0)
    return socket


def connecting_socket(kind: int, address: Address) -> zmq.Socket[bytes]:
    """A socket with the keys for the server at `address`, not yet connected."""
    socket = make_socket(kind)
    if not address.insecure:
        own = Keys().own()
        own.secure(socket, server_key=address.key or own.public)
    return socket


send_frame = zmq.backend.Socket.send
"""As zmq.Socket's own, which spends more time on options that we do not use than on sending."""


def is_envelope(frames: Sequence[bytes]) -> bool:
    """Whether these frames may precede a message: the client's identity, and a REQ client's empty frame."""
    return len(frames) == 1 or (len(frames) == 2 and not frames[1])
