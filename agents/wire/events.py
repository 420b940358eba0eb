"""Events from one process to any number of others: a trainer publishes, the arcade subscribes, neither waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import zmq

from agents.wire.messages import Event, ProtocolError, decode, encode
from agents.wire.sockets import WireSocket, bind_socket, open_socket

_MAX_POLLED = 256  # events returned by one poll, so that a flood cannot delay a frame


class EventPublisher(WireSocket):
    """Binds `endpoint` (port ``*`` finds a free one) and sends to all subscribers; a slow subscriber misses events."""

    _LINGER_MS = 200

    def __init__(self, endpoint: str = "tcp://127.0.0.1:*") -> None:
        super().__init__(*bind_socket(zmq.PUB, endpoint))

    def publish(self, name: str, data: Mapping[str, Any] | None = None) -> None:
        """Send `data` (numbers, text, lists, maps, arrays) as the event `name`; raises ProtocolError for others."""
        frame = encode(Event(name=name, data=dict(data or {})))
        self._socket.send_multipart((name.encode(), frame))


class EventSubscriber(WireSocket):
    """Receives the events `names` (all, if none is given) of a publisher; reconnects by itself."""

    def __init__(self, endpoint: str, *, names: Iterable[str] = ()) -> None:
        super().__init__(open_socket(zmq.SUB), endpoint)
        self.dropped = 0  # messages that were no event
        for name in tuple(names) or ("",):
            self._socket.setsockopt(zmq.SUBSCRIBE, name.encode())
        self._socket.connect(endpoint)

    def poll(self, timeout: float = 0.0) -> list[Event]:
        """The events that have arrived, oldest first; waits at most `timeout` for the first."""
        found = [_read(frames) for frames in self._receive(timeout, _MAX_POLLED)]
        events = [event for event in found if event is not None]
        self.dropped += len(found) - len(events)
        return events


def _read(frames: list[bytes]) -> Event | None:
    try:
        name, frame = frames
        message = decode(frame)[1]
    except (ValueError, ProtocolError):
        return None
    return message if isinstance(message, Event) and message.name.encode() == name else None
