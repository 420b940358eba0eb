"""Clients of a policy server that the test itself turns."""

from __future__ import annotations

from typing import Any

import numpy as np
import zmq
from gymnasium import spaces

from agents.spaces import action_signature, observation_signature
from agents.wire.messages import Hello, Message, decode, encode
from agents.wire.server import PolicyServer
from tests.support.peers import open_peer

OBSERVATION = np.zeros(4, np.float32)


class Client:
    """One DEALER, and the crank of the server it talks to."""

    def __init__(self, server: PolicyServer, kind: int = zmq.DEALER) -> None:
        self.server, self.socket = server, open_peer(server.endpoint, kind)

    def send(self, message: Message | bytes, id: int = 1) -> None:
        self.socket.send(message if isinstance(message, bytes) else encode(message, id=id))

    def receive(self) -> tuple[int, Any]:
        for _ in range(600):
            self.server.serve_once(timeout=0.05)
            if self.socket.poll(50):
                return decode(self.socket.recv())
        raise AssertionError("no reply within 30 s")

    def ask(self, message: Message | bytes, id: int = 1) -> Any:
        self.send(message, id)
        found, reply = self.receive()
        assert found == id
        return reply


def hello(seat: int = 1, **changes: Any) -> Hello:
    """A hello that the snapshot "first" fits, but for the changes."""
    fields: dict[str, Any] = {
        "game": "test/game",
        "agent": "one",
        "observation": observation_signature(spaces.Box(-1, 1, (4,), np.float32)),
        "action": action_signature(spaces.Discrete(5)),
    }
    return Hello(seat=seat, **(fields | changes))
