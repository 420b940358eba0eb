"""Real servers and clients on loopback, and the raw sockets of peers that mean harm."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np
import zmq
from gymnasium import spaces

from agents.seats.controller import SeatSpec, Turn
from agents.spaces import action_signature, observation_signature
from agents.wire.client import RemoteController
from agents.wire.control import ControlClient, ControlServer
from agents.wire.messages import Act, Hello, Message, decode, encode
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer

OBSERVATIONS, ACTIONS = spaces.Box(-1, 1, (4,), np.float32), spaces.Discrete(5)
SEAT = SeatSpec(game="test/game", agent="one", observation_space=OBSERVATIONS, action_space=ACTIONS)
OBSERVATION = np.zeros(4, np.float32)
LIMIT = 120.0
"""Seconds after which a test gives up; none of them waits so long where all is well."""


def greeting(seat: int = 1, spec: SeatSpec = SEAT) -> Hello:
    """A hello of SPEC, which is seat number SEAT of its peer."""
    return Hello(
        seat=seat,
        game=spec.game,
        agent=spec.agent,
        observation=observation_signature(spec.observation_space),
        action=action_signature(spec.action_space),
    )


def wait_until(is_so: Callable[[], Any], step: Callable[[], object] = lambda: None) -> None:
    """Repeat `step` until something is so."""
    end = time.monotonic() + LIMIT
    while not is_so():
        assert time.monotonic() < end, "nothing came of it"
        step()


class Peer:
    """A raw DEALER; it sends whatever it is told to."""

    def __init__(self, endpoint: str) -> None:
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.connect(endpoint)

    def send(self, message: Message | bytes, id: int = 1) -> None:
        self.socket.send(message if isinstance(message, bytes) else encode(message, id=id))

    def receive(self) -> tuple[int, Message]:
        assert self.socket.poll(LIMIT * 1000), "no answer"
        return decode(self.socket.recv())

    def ask(self, message: Message | bytes, id: int = 1) -> Message:
        self.send(message, id)
        found, reply = self.receive()
        assert found in (id, 0)
        return reply


class Served:
    """A policy server on a thread of its own, and a seat that plays beside the attack."""

    def __init__(self) -> None:
        self.server = PolicyServer(FunctionPolicies(lambda observation: 2), endpoint="tcp://127.0.0.1:*", insecure=True)
        self.endpoint, self.address = self.server.endpoint, str(self.server.address)
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._seat = RemoteController(self.address)
        self._seat.reset(SEAT, seed=1)
        self._tick = 0

    def _run(self) -> None:
        try:
            self.server.run()
        except BaseException as error:  # noqa: BLE001  # told to the test
            self.failure = error

    def play(self, turns: int = 20) -> None:
        """The seat plays, every turn answered; fails where the server has ended."""
        for _ in range(turns):
            self._tick += 1
            self._seat.observe(Turn("one", self._tick, OBSERVATION))
            wait_until(lambda: self._seat.act() is not None)
            assert self._seat.act() == 2
        assert self.failure is None

    def close(self) -> None:
        self._seat.close()
        self.server.stop()
        self._thread.join(LIMIT)
        self.server.close()
        assert self.failure is None


class Controlled:
    """A control server that its own thread polls, as a trainer's."""

    def __init__(self) -> None:
        self.obeyed: list[str] = []
        self.server = ControlServer({name: self._handler(name) for name in ("stop", "status")}, insecure=True)
        self.endpoint, self.address = self.server.endpoint, str(self.server.address)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _handler(self, name: str) -> Any:
        return lambda params: self.obeyed.append(name)

    def _run(self) -> None:
        while not self._closing.is_set():
            self.server.poll(0.02)

    def obeys(self) -> None:
        """Fails where its own client is not obeyed."""
        with ControlClient(self.address) as client:
            client.call("status", timeout=LIMIT)

    def close(self) -> None:
        self._closing.set()
        self._thread.join(LIMIT)
        self.server.close()


def frame(kind: str, body: Any, *, id: Any = 1, version: Any = 1) -> bytes:
    """Bytes of a message of any form."""
    packed: bytes = msgpack.packb([version, kind, id, body])
    return packed


def turn(seat: int = 1, tick: int = 0) -> Act:
    """A good act."""
    return Act(seat, tick, OBSERVATION)
