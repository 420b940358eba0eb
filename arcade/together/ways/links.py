"""The sockets of a session: HostLink hears all peers, PeerLink the host; both have datagrams beside them."""

from __future__ import annotations

import contextlib
import socket
import time
from typing import NamedTuple

import zmq

from agents.wire.addresses import parse_address
from agents.wire.outbox import Outbox
from agents.wire.peers import Peers
from agents.wire.sockets import BoundSocket, ConnectedSocket
from arcade.together.messages import MAX_PEER_BYTES, Message, Place, encode
from arcade.together.ways.datagrams import HostDatagrams, PeerDatagrams

MESSAGES_A_SECOND, BURST = 2_000, 4_000
"""Of one connection; more are dropped unread."""

MAX_READ = 256
"""Messages that one call reads."""

MAX_WAITING = 2_048
"""Messages of a peer that wait to be read.

Of 15 seconds: where a machine that was away so long finds more, libzmq ends the process by an assertion
(https://github.com/zeromq/libzmq/issues/3937)."""

HEARTBEAT_MS, HEARTBEAT_TIMEOUT_MS = 1_000, 4_000


def own_address() -> str:
    """The address by which other machines of the network reach this one; loopback where there is none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe_socket:
        probe_socket.connect(("192.0.2.1", 9))  # of no machine (RFC 5737), and nothing is sent
        return str(probe_socket.getsockname()[0])
    return "127.0.0.1"


class Heard(NamedTuple):
    """A frame and the connection that it came from."""

    sender: bytes
    key: str  # of the peer, in hexadecimal digits; "" for our own
    frame: bytes
    address: str = ""  # of its machine


class HostLink(BoundSocket):
    """The host's socket; every key is admitted, so `hello` is checked by the session."""

    _LINGER_MS = 1_000
    _WAITING = MAX_WAITING

    def __init__(self, endpoint: str) -> None:
        super().__init__(zmq.ROUTER, endpoint, guests=True)
        self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._outbox = Outbox(self._socket)
        self._peers = Peers(rate=MESSAGES_A_SECOND, burst=BURST)
        self.datagrams: HostDatagrams | None = None  # None: another program has that UDP port
        with contextlib.suppress(OSError):
            self.datagrams = HostDatagrams(self.port)

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
                found.append(Heard(frames[0], self._key_of(self._newest), frames[1], self._address_of(self._newest)))
        return found

    @staticmethod
    def _address_of(frame: zmq.Frame) -> str:
        try:
            return str(frame.get("Peer-Address"))
        except zmq.ZMQError:
            return ""

    @property
    def port(self) -> int:
        return int(self.endpoint.rpartition(":")[2])

    def place(self, host: str) -> Place:
        """This socket as others reach it at `host`."""
        return Place(host, self.port, self.address.key)

    def send(self, receiver: bytes, message: Message) -> None:
        """Send without waiting; dropped where the peer has gone or leaves too much unread."""
        self._outbox.send((receiver,), encode(message))


class PeerLink(ConnectedSocket):
    """A peer's socket; it reconnects by itself."""

    _LINGER_MS = 1_000

    def __init__(self, address: str, *, has_datagrams: bool = True) -> None:
        """`has_datagrams`: not where a relay is between, which passes on none."""
        parsed = parse_address(address)
        host, _colon, port = parsed.place.rpartition(":")
        self.place = Place(host, int(port), parsed.key)  # of the other end
        self.datagrams: PeerDatagrams | None = None
        self._has_datagrams = has_datagrams
        super().__init__(zmq.DEALER, address)
        for option, value in (
            (zmq.RECONNECT_IVL, 50), (zmq.RECONNECT_IVL_MAX, 500),
            (zmq.RCVHWM, MAX_WAITING), (zmq.HEARTBEAT_IVL, HEARTBEAT_MS), (zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT_MS),
        ):  # fmt: skip
            self._socket.setsockopt(option, value)
        self._handshakes.dial()  # options count for connections that are made after them

    def close(self) -> None:
        super().close()
        self._close_datagrams()

    def open_datagrams(self, name: bytes, key: bytes) -> None:
        """Use the channel of a welcome."""
        if not self._has_datagrams or (self.datagrams is not None and self.datagrams.name == name):
            return
        self._close_datagrams()
        with contextlib.suppress(OSError):
            self.datagrams = PeerDatagrams(self.place.host.strip("[]"), self.place.port, name, key)

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
