"""The trainer on the wire: requests to pause, resume, freeze, stop and tell its state; events to whoever listens."""

from __future__ import annotations

import os
import queue
import threading
from dataclasses import dataclass, field
from typing import Any, Self

import zmq

from agents.protocol import Control, Done, Error, Event, ProtocolError, decode, encode

COMMANDS = ("pause", "resume", "freeze", "stop", "status")
_POLL_MS = 20
_PARENT_POLLS = 10


@dataclass(slots=True)
class Orders:
    """What the run is asked to do; the control thread writes, the training loop reads."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    paused: bool = False
    stop: bool = False
    freezes: list[_Asked] = field(default_factory=list)
    status: dict[str, Any] = field(default_factory=lambda: {"state": "starting", "step": 0})

    def tell(self, **status: Any) -> None:
        with self.changed:
            self.status = self.status | status

    def ask_stop(self) -> None:
        """Safe to call from a signal handler's thread and any other."""
        with self.changed:
            self.stop = True
            self.changed.notify_all()

    def take_freezes(self) -> list[_Asked]:
        with self.changed:
            asked, self.freezes = self.freezes, []
        return asked

    def wait_while_paused(self) -> None:
        """Return when there is something to do."""
        with self.changed:
            while self.paused and not self.stop and not self.freezes:
                self.changed.wait(0.2)  # so that a signal is seen


@dataclass(frozen=True, slots=True)
class _Asked:
    """A freeze that somebody waits for."""

    client: list[bytes]
    id: int


class ControlServer:
    """ROUTER for requests on a thread of its own, PUB for events; both on loopback, ports chosen by the system.

    `follow` is the process whose end stops the run, 0 for none.
    """

    def __init__(self, orders: Orders, *, follow: int = 0) -> None:
        self.orders = orders
        self._follow = follow
        self._context = zmq.Context()
        self._router = self._context.socket(zmq.ROUTER)
        self._publisher = self._context.socket(zmq.PUB)
        self._publishing = threading.Lock()
        self._replies: queue.SimpleQueue[tuple[_Asked, Done | Error]] = queue.SimpleQueue()
        self.control = self._bind(self._router)
        self.events = self._bind(self._publisher)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="control", daemon=True)
        self._thread.start()

    @property
    def endpoints(self) -> dict[str, Any]:
        return {"control": self.control, "events": self.events, "pid": os.getpid()}

    def publish(self, name: str, data: dict[str, Any]) -> None:
        """Send an event to whoever listens; never blocks."""
        frame = encode(Event(name=name, data=data))
        with self._publishing:
            self._publisher.send_multipart([name.encode(), frame])

    def answer_freeze(self, asked: _Asked, result: dict[str, Any] | str) -> None:
        """Tell who asked for a freeze what came of it; a str is an error."""
        reply = Error(code="failed", text=result) if isinstance(result, str) else Done(result=result)
        self._replies.put((asked, reply))

    def close(self) -> None:
        if not self._closing.is_set():
            self._closing.set()
            self._thread.join(5)
            self._router.close(linger=200)
            self._publisher.close(linger=200)
            self._context.term()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _bind(self, socket: Any) -> str:
        socket.setsockopt(zmq.LINGER, 200)
        socket.setsockopt(zmq.MAXMSGSIZE, 2**20)
        return f"tcp://127.0.0.1:{socket.bind_to_random_port('tcp://127.0.0.1')}"

    def _serve(self) -> None:
        polls = 0
        while not self._closing.is_set():
            if self._router.poll(_POLL_MS):
                self._receive()
            self._send_replies()
            polls += 1
            if self._follow and polls % _PARENT_POLLS == 0 and os.getppid() != self._follow:
                self.orders.ask_stop()
        self._send_replies()

    def _receive(self) -> None:
        *client, frame = self._router.recv_multipart()
        try:
            id, message = decode(frame, limit=2**20)
            reply = self._obey(message, _Asked(client, id))
        except ProtocolError as error:
            id, reply = error.id, Error(code=error.code, text=str(error))
        if reply is not None:
            self._router.send_multipart([*client, encode(reply, id=id)])

    def _obey(self, message: Any, asked: _Asked) -> Done | Error | None:
        if not isinstance(message, Control):
            return Error(code="refused", text=f"expected a control request, got: {message.KIND}")
        if message.name not in COMMANDS:
            return Error(code="refused", text=f"expected one of {', '.join(COMMANDS)}, got: {message.name!r}")
        orders = self.orders
        with orders.changed:
            if message.name == "freeze" and not orders.stop:
                orders.freezes.append(asked)
                orders.changed.notify_all()
                return None  # answered when it is done
            if message.name in ("pause", "resume"):
                orders.paused = message.name == "pause"
            orders.stop |= message.name == "stop"
            orders.changed.notify_all()
            asked_for = "stopped" if orders.stop else "paused" if orders.paused else "running"
            return Done(result=orders.status | {"asked": asked_for})

    def _send_replies(self) -> None:
        while not self._replies.empty():
            asked, reply = self._replies.get()
            self._router.send_multipart([*asked.client, encode(reply, id=asked.id)])
