"""News from one process to any number of others: a trainer publishes, the arcade listens, nobody waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import zmq

from agents.wire.encoding import MAX_MESSAGE_BYTES
from agents.wire.messages import Event, ProtocolError, decode, encode
from agents.wire.sockets import bind_socket

_MAX_POLLED = 256  # events handed out by one poll, so that a flood cannot hold a frame up


class EventPublisher:
    """Binds `endpoint` (port ``*`` finds a free one) and sends to whoever listens; a slow listener misses events."""

    def __init__(self, endpoint: str = "tcp://127.0.0.1:*") -> None:
        self._socket, self.endpoint = bind_socket(zmq.PUB, endpoint)

    def __enter__(self) -> EventPublisher:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def publish(self, name: str, data: Mapping[str, Any] | None = None) -> None:
        """Send `data` (numbers, text, lists, maps, arrays) as the event `name`; raises ProtocolError for others."""
        frame = encode(Event(name=name, data=dict(data or {})))
        self._socket.send_multipart((name.encode(), frame))

    def close(self) -> None:
        if not self._socket.closed:
            self._socket.close(linger=200)  # ms: the last news may still leave


class EventSubscriber:
    """Hears the events `names` (all, if none is given) of every endpoint; reconnects by itself."""

    def __init__(self, *endpoints: str, names: Iterable[str] = ()) -> None:
        self.dropped = 0  # frames that were no event
        self._socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.SUB)
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
        for name in tuple(names) or ("",):
            self._socket.setsockopt(zmq.SUBSCRIBE, name.encode())
        for endpoint in endpoints:
            self._socket.connect(endpoint)

    def __enter__(self) -> EventSubscriber:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self, endpoint: str) -> None:
        """Hear another publisher too."""
        self._socket.connect(endpoint)

    def poll(self, timeout: float = 0.0) -> list[Event]:
        """The events that have come, oldest first; waits at most `timeout` for the first."""
        events: list[Event] = []
        if timeout > 0:
            self._socket.poll(int(timeout * 1000))
        while len(events) < _MAX_POLLED and int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            event = _read(self._socket.recv_multipart(zmq.NOBLOCK))
            if event is None:
                self.dropped += 1
            else:
                events.append(event)
        return events

    def close(self) -> None:
        if not self._socket.closed:
            self._socket.close(linger=0)


def _read(frames: list[bytes]) -> Event | None:
    if len(frames) != 2:
        return None
    try:
        message = decode(frames[1])[1]
    except ProtocolError:
        return None
    return message if isinstance(message, Event) and message.name.encode() == frames[0] else None
