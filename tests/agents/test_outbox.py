"""Replies that nobody reads: bounded for each client, and for all together, whoever they belong to."""

from __future__ import annotations

from typing import Any

import pytest
import zmq

from agents.wire import outbox as module
from agents.wire.outbox import Outbox

FRAME = bytes(1000)


class Shut:
    """A socket whose queues are full until it is opened."""

    def __init__(self) -> None:
        self.is_open = False
        self.sent: list[bytes] = []

    def send(self, data: bytes, flags: int = 0) -> None:
        if not self.is_open:
            raise zmq.Again
        self.sent.append(data)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Outbox:
    monkeypatch.setattr(module, "MAX_UNREAD_BYTES", 8 * len(FRAME))
    monkeypatch.setattr(module, "MAX_UNREAD_ALL_BYTES", 20 * len(FRAME))
    monkeypatch.setattr(module, "send_frame", lambda socket, data, flags: socket.send(data, flags))
    return Outbox(Shut())  # type: ignore[arg-type]


def test_one_client_keeps_so_many_bytes(small: Outbox) -> None:
    for _ in range(20):
        small.send((b"one",), FRAME)
    assert (small.bytes, small.dropped) == (8 * len(FRAME), 12)


def test_many_clients_together_are_bounded_and_each_keeps_its_share(small: Outbox) -> None:
    for _ in range(10):
        for client in range(10):
            small.send((b"%d" % client,), FRAME)
    assert small.bytes <= 2 * 20 * len(FRAME)
    small.send((b"late",), FRAME)
    assert len(small) == 11, "one who comes late gets an answer too"


def test_what_was_read_makes_room_again(small: Outbox) -> None:
    for client in range(10):
        for _ in range(10):
            small.send((b"%d" % client,), FRAME)
    socket: Any = small._socket
    socket.is_open = True
    small.flush()
    assert (small.bytes, len(small)) == (0, 0)
    dropped = small.dropped
    small.send((b"0",), FRAME)
    assert small.dropped == dropped
    assert socket.sent[-1] == FRAME
