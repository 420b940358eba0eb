"""Non-blocking remote control (pause, resume, freeze, stop, status), and events to any number of subscribers."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import zmq

from agents.errors import UserError
from agents.wire.limits import CONTROL_A_SECOND, MAX_SMALL_BYTES
from agents.wire.messages import Control, Done, Error, Event, Message, ProtocolError, decode, encode
from agents.wire.peers import Peers
from agents.wire.public_text import public_text
from agents.wire.sockets import BoundSocket, ConnectedSocket, is_envelope

Handler = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
"""params -> result; any exception is sent to the client as an error."""

_MAX_POLLED = 64  # messages taken by one poll
_LOOK_EVERY = 0.1  # seconds between two looks whether the server refuses a client
_MAX_EVENTS = 256  # events returned by one poll, so that a flood cannot delay a frame


class ControlError(UserError):
    """A request that was refused, or had no answer in time."""


class ControlServer(BoundSocket):
    """Answers requests with `handlers`, name to function, whenever its owner calls `poll`."""

    _LINGER_MS = 200  # the answer to stop should still leave

    def __init__(
        self, handlers: Mapping[str, Handler], *, endpoint: str = "tcp://127.0.0.1:*", insecure: bool = False
    ) -> None:
        super().__init__(zmq.ROUTER, endpoint, insecure=insecure)
        self._handlers = dict(handlers)
        self._peers = Peers(rate=CONTROL_A_SECOND, burst=CONTROL_A_SECOND)
        self.malformed = 0
        self.busy = 0  # requests refused, of peers beyond their limits

    def poll(self, timeout: float = 0.0) -> None:
        """Answer the requests that have arrived, waiting at most `timeout` for the first."""
        for *sender, frame in self._receive(timeout, _MAX_POLLED):
            if not is_envelope(sender):
                self.malformed += 1
                continue
            assert self._newest is not None
            known = self._peers.get(sender[0])
            peer = known or self._peers.of(sender[0], time.monotonic(), key=self._key_of(self._newest))
            is_within = peer.take(sum(map(len, sender)) + len(frame), time.monotonic())
            self._socket.send_multipart((*sender, self._answer(frame, is_within=is_within)))

    def _answer(self, frame: bytes, *, is_within: bool) -> bytes:
        id = 0
        try:
            id, message = decode(frame, (Control,), most=MAX_SMALL_BYTES)
            if not is_within:
                raise ProtocolError("busy", f"expected at most {CONTROL_A_SECOND} requests a second, got more")
            return encode(self._handle(message), id=id)
        except ProtocolError as error:
            self.busy += error.code == "busy"
            self.malformed += error.code not in ("refused", "busy")
            return encode(Error(code=error.code, text=public_text(error.text)), id=id or error.id)

    def _handle(self, message: Message) -> Message:
        assert isinstance(message, Control)
        name = message.name
        if name not in self._handlers:
            raise ProtocolError("refused", f"expected one of {', '.join(self._handlers)}, got: {name!r}")
        try:
            return Done(result=dict(self._handlers[name](message.params) or {}))
        except Exception as error:  # noqa: BLE001  # the client gets the error; the trainer continues
            return Error(code="failed", text=public_text(f"{name}: {type(error).__name__}: {error}"))


@dataclass(frozen=True, slots=True)
class ControlReply:
    """The answer to an earlier request."""

    id: int  # what `request` returned
    result: Mapping[str, Any]
    error: str = ""  # for people; "" for success


class ControlClient(ConnectedSocket):
    """Sends requests without waiting, and returns the answers that have arrived; `call` does wait."""

    def __init__(self, address: str) -> None:
        super().__init__(zmq.DEALER, address)
        self._ids = itertools.count(1)
        self.malformed = 0  # answers that were none

    def request(self, name: str, params: Mapping[str, Any] | None = None) -> int:
        """Send a request and return its id, that of its reply in `poll`; it waits in the socket for a server."""
        id = next(self._ids)
        try:
            self._socket.send(encode(Control(name=name, params=dict(params or {})), id=id), zmq.NOBLOCK)
        except zmq.ZMQError as error:
            raise ControlError(self.refusal or f"expected {self.endpoint} to take {name!r}, got: {error}") from error
        return id

    def poll(self, timeout: float = 0.0) -> list[ControlReply]:
        """The answers that have arrived; waits at most `timeout` for the first."""
        replies: list[ControlReply] = []
        for frames in self._receive(timeout, _MAX_POLLED):
            try:
                id, message = decode(frames[-1], (Done, Error))
            except ProtocolError:
                self.malformed += 1
                continue
            if isinstance(message, Done):
                replies.append(ControlReply(id, message.result))
            elif isinstance(message, Error):
                replies.append(ControlReply(id, {}, f"{message.code}: {message.text}"))
        return replies

    def call(self, name: str, params: Mapping[str, Any] | None = None, *, timeout: float = 5.0) -> Mapping[str, Any]:
        """Send a request and return its result; raises ControlError where it is refused or has no answer in time."""
        id, end = self.request(name, params), time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0 and not self.refusal:
            for reply in self.poll(min(left, _LOOK_EVERY)):
                if reply.id == id and reply.error:
                    raise ControlError(reply.error)
                if reply.id == id:
                    return reply.result
        raise ControlError(
            self.refusal or f"expected {self.endpoint} to answer {name!r} within {timeout} s, got nothing"
        )


class EventPublisher(BoundSocket):
    """Binds `endpoint` (port ``*`` finds a free one) and sends to all subscribers; a slow subscriber misses events."""

    _LINGER_MS = 200

    def __init__(self, endpoint: str = "tcp://127.0.0.1:*", *, insecure: bool = False) -> None:
        super().__init__(zmq.PUB, endpoint, insecure=insecure)

    def publish(self, name: str, data: Mapping[str, Any] | None = None) -> None:
        """Send `data` (numbers, text, lists, maps, arrays) as the event `name`; raises ProtocolError for others."""
        frame = encode(Event(name=name, data=dict(data or {})))
        self._socket.send_multipart((name.encode(), frame))


class EventSubscriber(ConnectedSocket):
    """Receives the events `names` (all, if none is given) of a publisher; reconnects by itself."""

    def __init__(self, address: str, *, names: Iterable[str] = ()) -> None:
        super().__init__(zmq.SUB, address)
        self.dropped = 0  # messages that were no event
        for name in tuple(names) or ("",):
            self._socket.setsockopt(zmq.SUBSCRIBE, name.encode())

    def poll(self, timeout: float = 0.0) -> list[Event]:
        """The events that have arrived, oldest first; waits at most `timeout` for the first."""
        found = [_read(frames) for frames in self._receive(timeout, _MAX_EVENTS)]
        events = [event for event in found if event is not None]
        self.dropped += len(found) - len(events)
        return events


def _read(frames: list[bytes]) -> Event | None:
    try:
        name, frame = frames
        message = decode(frame, (Event,))[1]
    except (ValueError, ProtocolError):
        return None
    return message if isinstance(message, Event) and message.name.encode() == name else None
