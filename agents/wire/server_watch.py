"""ServerWatch: follows the connection of a client's socket, and ends one that fills the memory.

libzmq bounds the bytes of a frame and the messages that wait, but not the frames of a message that is not complete: it
holds them until the last one comes.  The kernel knows what a connection has received, and the client what it has read.
One thread watches all sockets of the process, since a paused match or a busy window reads nothing.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import zmq
from zmq.utils.monitor import parse_monitor_message

from agents.platform import system
from agents.platform.borrowed_socket import borrowed
from agents.wire.limits import MAX_UNREAD_EVENT_BYTES, MAX_UNREAD_REPLY_BYTES
from agents.wire.monitors import monitor

HANDSHAKES = (
    zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
)
_EVENTS = zmq.EVENT_CONNECTED | zmq.EVENT_DISCONNECTED | HANDSHAKES
_LOOK_EVERY = 0.1  # seconds
_MOST_EVENTS = 64  # handshakes that wait for their reader
_OVERHEAD = 64  # bytes of a message on its way that are not in it: headers, and CURVE's nonce and checksum
_log = logging.getLogger(__name__)


class ServerWatch:
    """Of the connected `socket`, until `close`; all but `look` is for the thread of the socket."""

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self._socket = socket
        self._most = MAX_UNREAD_EVENT_BYTES if socket.socket_type == zmq.SUB else MAX_UNREAD_REPLY_BYTES
        self._events = monitor(socket, _EVENTS)
        self._handshakes: deque[Mapping[str, Any]] = deque(maxlen=_MOST_EVENTS)
        self._connection: int | None = None  # its descriptor
        self._is_cut = False
        self._read = 0  # bytes of the messages that were read of the present connection
        _watched.add(self)

    def took(self, size: int) -> None:
        """A message of `size` bytes was read."""
        self._read += size + _OVERHEAD

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection to the server, which may be hung."""
        with _watched.lock:
            self._receive()
            return self._connection is not None

    def take_cut(self) -> bool:
        """Whether the server was cut off since the last call: it sent more than a client has to hold."""
        is_cut, self._is_cut = self._is_cut, False
        return is_cut

    def handshakes(self) -> list[Mapping[str, Any]]:
        """The events of handshakes since the last call, as ``parse_monitor_message`` returns them."""
        with _watched.lock:
            self._receive()
            found = [*self._handshakes]
            self._handshakes.clear()
        return found

    def close(self) -> None:
        """Stop watching; before the socket closes.  Can be called twice."""
        if not self._events.closed:
            _watched.discard(self)
            self._socket.disable_monitor()
            self._events.close()

    def look(self) -> None:
        """End the connection where it has received too much that was not read; under the lock."""
        self._receive()
        if self._connection is None or (received := system.received_bytes(self._connection)) is None:
            return
        self._read = min(self._read, received)  # a few messages may be of the connection before
        if received - self._read > self._most:
            self._is_cut = True
            with suppress(OSError), borrowed(self._connection) as connection:
                connection.shutdown(socket.SHUT_RDWR)
            self._connection = None
            _log.warning("a server was cut off: it sent more than its client reads, or a message without an end")

    def _receive(self) -> None:
        while not self._events.closed and int(self._events.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            event: Mapping[str, Any] = parse_monitor_message(self._events.recv_multipart())
            if event["event"] == zmq.EVENT_CONNECTED:
                self._connection, self._read = event["value"], 0
            elif event["event"] == zmq.EVENT_DISCONNECTED:
                self._connection = None
            else:
                self._handshakes.append(event)


class _Watched:
    """The watches of this process, and the thread that looks at them while there are any."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._watches: set[ServerWatch] = set()
        self._process = 0  # whose thread runs; a fork has none

    def add(self, watch: ServerWatch) -> None:
        with self.lock:
            self._watches.add(watch)
            if self._process != os.getpid():
                self._process = os.getpid()
                threading.Thread(target=self._run, name="servers", daemon=True).start()

    def discard(self, watch: ServerWatch) -> None:
        with self.lock:
            self._watches.discard(watch)

    def _run(self) -> None:
        while True:
            time.sleep(_LOOK_EVERY)
            with self.lock:
                if not self._watches:
                    self._process = 0
                    return
                for watch in self._watches:
                    with suppress(zmq.ZMQError):  # its context has ended
                        watch.look()


_watched = _Watched()
