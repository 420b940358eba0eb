"""Connections: ends those of a bound socket that fill the memory with one message that never ends.

libzmq bounds the bytes of a frame and the messages that wait, but not the frames of a message that is not complete: it
holds them until the last one comes.  The kernel knows what a connection has received, and the server what it has read.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import zmq
from zmq.utils.monitor import parse_monitor_message

from agents.platform import system
from agents.platform.borrowed_socket import borrowed
from agents.wire.limits import MAX_UNFINISHED_BYTES, MAX_WAITING_BYTES
from agents.wire.monitors import monitor

_LOOK_EVERY = 0.1  # seconds
_EVENTS = zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED | zmq.EVENT_MONITOR_STOPPED
_log = logging.getLogger(__name__)


class _Connection:
    __slots__ = ("before", "heard_at")

    def __init__(self) -> None:
        self.heard_at = 0  # bytes received when the newest message was read
        self.before = 0  # bytes received at the last look


class Connections:
    """Those of `socket`, watched by a thread until the socket closes.

    While `is_looking`, the reader of the socket calls `heard` for each message, and `emptied` when no more wait.
    """

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self.is_looking = False  # a connection has received more than a message without one being noticed
        self._connections: dict[int, _Connection] = {}
        self._heard: set[int] = set()
        self._is_emptied = False
        threading.Thread(target=self._watch, args=(monitor(socket, _EVENTS),), name="connections", daemon=True).start()

    def heard(self, frame: zmq.Frame) -> None:
        """A whole message was read; `frame` is its last."""
        self._heard.add(int(frame.get(zmq.SRCFD)))

    def emptied(self) -> None:
        """Every whole message was read."""
        self._is_emptied = True

    def _watch(self, events: zmq.Socket[bytes]) -> None:
        look_at = 0.0
        with suppress(zmq.ZMQError), events:
            while True:
                if events.poll(int(_LOOK_EVERY * 1000)):
                    event = parse_monitor_message(events.recv_multipart())
                    if event["event"] == zmq.EVENT_MONITOR_STOPPED:
                        return
                    self._take(event)
                if (now := time.monotonic()) >= look_at:
                    look_at = now + _LOOK_EVERY
                    self.look()

    def _take(self, event: Mapping[str, Any]) -> None:
        if event["event"] == zmq.EVENT_ACCEPTED:
            self._connections[event["value"]] = _Connection()
        else:
            self._connections.pop(event["value"], None)

    def look(self) -> None:
        """End the connections that have received too much since their last message."""
        heard, self._heard = self._heard, set()
        is_emptied, self._is_emptied = self._is_emptied, False
        was_looking, self.is_looking = self.is_looking, False
        for descriptor, one in self._connections.items():
            received = system.received_bytes(descriptor)
            if received is None:
                continue
            if descriptor in heard or received < one.heard_at:
                one.heard_at = received
            elif was_looking and (_is_held(one, MAX_UNFINISHED_BYTES, is_emptied) or _is_held(one, MAX_WAITING_BYTES)):
                _end(descriptor)
            one.before = received
            self.is_looking |= received - one.heard_at > MAX_UNFINISHED_BYTES // 2


def _is_held(one: _Connection, most: int, is_sure: bool = True) -> bool:
    """Whether more than `most` bytes that had come before the last look belong to no message that was read since."""
    return is_sure and one.before - one.heard_at > most


def _end(descriptor: int) -> None:
    """End a connection: libzmq sees it closed, and frees what it holds."""
    with suppress(OSError), borrowed(descriptor) as connection:
        connection.shutdown(socket.SHUT_RDWR)
        _log.warning("a peer was cut off, whose message had no end")
