"""The sockets of a session: HostLink hears all peers, PeerLink the host; both have datagrams beside them."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import NamedTuple

import zmq

from agents.wire.outbox import Outbox
from agents.wire.peers import Peers
from agents.wire.sockets import BoundSocket, ConnectedSocket
from arcade.together.messages import MAX_PEER_BYTES, Message, encode
from arcade.together.ways.codes import SessionCode
from arcade.together.ways.datagrams import HostDatagrams, PeerDatagrams
from arcade.together.ways.tunnel import GuestTunnel

MESSAGES_A_SECOND, BURST = 2_000, 4_000
"""Of one connection; more are dropped unread."""

MAX_READ = 256
"""Messages that one call reads."""

HEARTBEAT_MS, HEARTBEAT_TIMEOUT_MS = 1_000, 4_000


class Heard(NamedTuple):
    """A frame and the connection that it came from."""

    sender: bytes
    key: str  # of the peer, in hexadecimal digits; "" for our own
    frame: bytes


class HostLink(BoundSocket):
    """The host's socket; every key is admitted, so `hello` is checked by the session."""

    _LINGER_MS = 1_000

    def __init__(self, endpoint: str) -> None:
        super().__init__(zmq.ROUTER, endpoint, guests=True)
        self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._outbox = Outbox(self._socket)
        self._peers = Peers(rate=MESSAGES_A_SECOND, burst=BURST)
        self.datagrams: HostDatagrams | None = None  # None: another program has that UDP port
        with contextlib.suppress(OSError):
            self.datagrams = HostDatagrams(int(self.endpoint.rpartition(":")[2]))

    def close(self) -> None:
        super().close()
        if self.datagrams is not None:
            self.datagrams.close()

    def hear(self, timeout: float) -> list[Heard]:
        """What has arrived; waits at most `timeout` for the first."""
        self._outbox.flush()
        found, now = [], time.monotonic()
        for frames in self._receive(timeout, MAX_READ):
            size = sum(map(len, frames))
            peer = self._peers.get(frames[0]) or self._peers.of(frames[0], now)
            if len(frames) == 2 and size <= MAX_PEER_BYTES and peer.take(size, time.monotonic()):
                assert self._newest is not None
                found.append(Heard(frames[0], self._key_of(self._newest), frames[1]))
        return found

    def send(self, receiver: bytes, message: Message) -> None:
        """Send without waiting; dropped where the peer has gone or leaves too much unread."""
        self._outbox.send((receiver,), encode(message))


class PeerLink(ConnectedSocket):
    """A peer's socket; it reconnects by itself."""

    _LINGER_MS = 1_000

    def __init__(self, address: str, *, tunnel: GuestTunnel | None = None) -> None:
        """`tunnel`: by which the host is reached; closed with the link."""
        self._tunnel = tunnel
        self.datagrams: PeerDatagrams | None = None
        super().__init__(zmq.DEALER, address)
        for option, value in (
            (zmq.RECONNECT_IVL, 50), (zmq.RECONNECT_IVL_MAX, 500),
            (zmq.HEARTBEAT_IVL, HEARTBEAT_MS), (zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT_MS),
        ):  # fmt: skip
            self._socket.setsockopt(option, value)
        self._handshakes.dial()  # options count for connections that are made after them

    def close(self) -> None:
        super().close()
        self._close_datagrams()
        if self._tunnel is not None:
            self._tunnel.close()

    def open_datagrams(self, name: bytes, key: bytes) -> None:
        """Use the channel of a welcome; not where a relay is between, which passes on no datagrams."""
        if self._tunnel is not None or (self.datagrams is not None and self.datagrams.name == name):
            return
        self._close_datagrams()
        host, _colon, port = self.endpoint.partition("://")[2].rpartition(":")
        with contextlib.suppress(OSError):
            self.datagrams = PeerDatagrams(host.strip("[]"), int(port), name, key)

    def _close_datagrams(self) -> None:
        if self.datagrams is not None:
            self.datagrams.close()
            self.datagrams = None

    def hear(self, timeout: float) -> list[bytes]:
        """The frames that have arrived; waits at most `timeout` for the first."""
        return [frames[-1] for frames in self._receive(timeout, MAX_READ)]

    def send(self, message: Message) -> None:
        """Send without waiting; dropped where too much waits to leave."""
        with contextlib.suppress(zmq.Again):
            self._socket.send(encode(message), zmq.NOBLOCK)


def tunnel_to(code: SessionCode) -> GuestTunnel | None:
    """The way to a host through a relay, None where its code names none.  Takes seconds; raises SessionError."""
    return GuestTunnel((code.host, code.port), code.secret) if code.by_relay else None


def link_to(code: SessionCode, tunnel: GuestTunnel | None) -> PeerLink:
    """The link to the host of a code."""
    near = code if tunnel is None else replace(code, host="127.0.0.1", port=tunnel.port)
    return PeerLink(near.address, tunnel=tunnel)
