"""Outbox: sends the replies of a server without waiting, and keeps those that a slow reader cannot take yet."""

from __future__ import annotations

from collections import deque

import zmq

from agents.wire.limits import MAX_UNREAD, MAX_UNREAD_ALL_BYTES, MAX_UNREAD_BYTES
from agents.wire.sockets import send_frame

_NOBLOCK, _PART = int(zmq.NOBLOCK), int(zmq.SNDMORE) | int(zmq.NOBLOCK)  # as enums they cost more than the call

Reply = tuple[tuple[bytes, ...], bytes]
"""The frames before it, the first of which is the client's identity, and the message."""


class _Waiting:
    """The replies that wait for one client."""

    __slots__ = ("bytes", "replies")

    def __init__(self) -> None:
        self.replies: deque[Reply] = deque()
        self.bytes = 0


class Outbox:
    """Needs a ROUTER with ROUTER_MANDATORY.  `dropped` counts the replies that never left."""

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self._socket = socket
        self._waiting: dict[bytes, _Waiting] = {}
        self.bytes = 0  # of all replies that wait
        self.dropped = 0

    def __len__(self) -> int:
        """The clients with replies that wait."""
        return len(self._waiting)

    def send(self, sender: tuple[bytes, ...], frame: bytes) -> None:
        """Send a reply behind those that wait; dropped where the client has gone, or leaves too many unread."""
        if sender[0] in self._waiting or not self._try(sender, frame):
            self._keep(sender, frame)

    def flush(self) -> None:
        """Send what can leave now."""
        for client in tuple(self._waiting):
            waiting = self._waiting[client]
            while waiting.replies and self._try(*waiting.replies[0]):
                size = len(waiting.replies.popleft()[1])
                waiting.bytes -= size
                self.bytes -= size
            if not waiting.replies:
                del self._waiting[client]

    def _keep(self, sender: tuple[bytes, ...], frame: bytes) -> None:
        waiting = self._waiting.setdefault(sender[0], _Waiting())
        if len(waiting.replies) >= MAX_UNREAD or waiting.bytes + len(frame) > self._most():
            self.dropped += 1
            return
        waiting.replies.append((sender, frame))
        waiting.bytes += len(frame)
        self.bytes += len(frame)

    def _most(self) -> int:
        """The bytes that may wait for a client: together, clients get at most twice those of all."""
        is_full = self.bytes >= MAX_UNREAD_ALL_BYTES
        return min(MAX_UNREAD_BYTES, MAX_UNREAD_ALL_BYTES // len(self._waiting)) if is_full else MAX_UNREAD_BYTES

    def _try(self, sender: tuple[bytes, ...], frame: bytes) -> bool:
        """False where the client's queue is full."""
        try:
            for part in sender:
                send_frame(self._socket, part, _PART)
            send_frame(self._socket, frame, _NOBLOCK)
        except zmq.Again:
            return False
        except zmq.ZMQError:  # the client has gone
            self.dropped += 1
        return True
