"""Orders to a process that has better things to do than wait for them: pause, resume, freeze, stop, status."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import zmq

from agents.errors import UserError
from agents.wire.encoding import MAX_MESSAGE_BYTES
from agents.wire.messages import Control, Done, Error, Message, ProtocolError, decode, encode
from agents.wire.sockets import bind_socket, is_envelope

Handler = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
"""params -> result; whatever it raises goes to the asker as an error."""

_MAX_POLLED = 64  # requests answered by one poll


class ControlError(UserError):
    """A request that was refused, or had no answer in time."""


class ControlServer:
    """Answers requests with `handlers`, name to function, whenever its owner calls `poll`."""

    def __init__(self, handlers: Mapping[str, Handler], *, endpoint: str = "tcp://127.0.0.1:*") -> None:
        self._handlers = dict(handlers)
        self.malformed = 0
        self._socket, self.endpoint = bind_socket(zmq.ROUTER, endpoint)

    def __enter__(self) -> ControlServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def poll(self, timeout: float = 0.0) -> int:
        """Answer what has come, waiting at most `timeout` for the first; how many messages that was."""
        count = 0
        if timeout > 0:
            self._socket.poll(int(timeout * 1000))
        while count < _MAX_POLLED and int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            *sender, frame = self._socket.recv_multipart(zmq.NOBLOCK)
            count += 1
            if is_envelope(sender):
                self._socket.send_multipart((*sender, self._answer(frame)))
            else:
                self.malformed += 1
        return count

    def _answer(self, frame: bytes) -> bytes:
        id = 0
        try:
            id, message = decode(frame)
            return encode(self._handle(message), id=id)
        except ProtocolError as error:
            self.malformed += error.code != "refused"
            return encode(Error(code=error.code, text=error.text[:4000]), id=id or error.id)

    def _handle(self, message: Message) -> Message:
        known = ", ".join(self._handlers)
        if not isinstance(message, Control) or message.name not in self._handlers:
            name = message.name if isinstance(message, Control) else message.KIND
            raise ProtocolError("refused", f"expected one of {known}, got: {name!r}")
        try:
            return Done(result=dict(self._handlers[message.name](message.params) or {}))
        except Exception as error:  # noqa: BLE001  # the asker is told; the trainer trains on
            return Error(code="failed", text=f"{message.name}: {type(error).__name__}: {error}"[:4000])

    def close(self) -> None:
        if not self._socket.closed:
            self._socket.close(linger=200)  # ms: the answer to stop should still leave


@dataclass(frozen=True, slots=True)
class ControlReply:
    """The answer to an earlier request."""

    id: int  # what `request` returned
    result: Mapping[str, Any]
    error: str = ""  # what went wrong, for people; "" where nothing did


class ControlClient:
    """Sends requests without waiting, and takes the answers when they are there; `call` does wait."""

    def __init__(self, endpoint: str) -> None:
        self._ids = itertools.count(1)
        self._socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
        self._socket.connect(endpoint)
        self.endpoint = endpoint

    def __enter__(self) -> ControlClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(self, name: str, params: Mapping[str, Any] | None = None) -> int:
        """Send a request and return its id, to be found again in `poll`; it waits in the socket for a server."""
        id = next(self._ids)
        try:
            self._socket.send(encode(Control(name=name, params=dict(params or {})), id=id), zmq.NOBLOCK)
        except zmq.ZMQError as error:
            raise ControlError(f"expected {self.endpoint} to take {name!r}, got: {error}") from error
        return id

    def poll(self, timeout: float = 0.0) -> list[ControlReply]:
        """The answers that have come; waits at most `timeout` for the first."""
        replies: list[ControlReply] = []
        if timeout > 0:
            self._socket.poll(int(timeout * 1000))
        while int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            try:
                id, message = decode(self._socket.recv(zmq.NOBLOCK))
            except ProtocolError:
                continue
            if isinstance(message, Done):
                replies.append(ControlReply(id, message.result))
            elif isinstance(message, Error):
                replies.append(ControlReply(id, {}, f"{message.code}: {message.text}"))
        return replies

    def call(self, name: str, params: Mapping[str, Any] | None = None, *, timeout: float = 5.0) -> dict[str, Any]:
        """Send a request and wait for its answer; raises ControlError where it is refused or does not come."""
        id, end = self.request(name, params), time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            for reply in self.poll(left):
                if reply.id == id and reply.error:
                    raise ControlError(reply.error)
                if reply.id == id:
                    return dict(reply.result)
        raise ControlError(f"expected {self.endpoint} to answer {name!r} within {timeout} s, got nothing")

    def close(self) -> None:
        if not self._socket.closed:
            self._socket.close(linger=0)
