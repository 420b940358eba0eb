"""Connections of peers beyond their limits, slowed down for a while."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest

from agents.wire.limits import NARROW_AFTER, NARROW_SECONDS
from agents.wire.messages import Welcome
from agents.wire.peers import Peers
from agents.wire.throttle import Throttle
from tests.support.attacks import greeting, turn, wait_until

FULL = 2**20


@pytest.fixture
def connection():
    """Both ends of a TCP connection; the receiver has so small a queue that what the sender can send shows."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        sender = socket.create_connection(server.getsockname())
        receiver, _ = server.accept()
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    sender.setblocking(False)
    yield sender, receiver
    sender.close()
    receiver.close()


def room(receiver):
    return receiver.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)


def test_a_connection_is_slowed_down_for_a_while(connection):
    _, receiver = connection
    usual, throttle = room(receiver), Throttle()
    throttle.narrow(receiver.fileno(), 5.0)
    slow = room(receiver)
    throttle.widen(5.0 + NARROW_SECONDS / 2)
    assert room(receiver) == slow < usual / 8
    throttle.widen(5.0 + NARROW_SECONDS)
    assert room(receiver) > 8 * slow


def test_the_sender_is_held_back(connection):
    sender, receiver = connection
    Throttle().narrow(receiver.fileno(), 0.0)
    sent = 0
    with suppress(BlockingIOError):
        while sent < FULL:
            sent += sender.send(bytes(4096))
    assert sent < FULL / 4


def test_a_connection_that_has_ended_is_left_alone(connection):
    _, receiver = connection
    throttle, descriptor = Throttle(), receiver.fileno()
    throttle.narrow(descriptor, 0.0)
    receiver.close()
    throttle.widen(NARROW_SECONDS)
    throttle.narrow(descriptor, 9.0)


def test_the_server_slows_down_the_peer_that_floods_it_and_no_other(served, peer):
    narrowed = []
    served.server.peers = Peers(rate=1000, burst=100)
    served.server._throttle.narrow = lambda descriptor, now: narrowed.append(descriptor)
    served.play(5)
    assert not narrowed
    hostile = peer(served.endpoint)
    assert isinstance(hostile.ask(greeting()), Welcome)
    for number in range(100 + 20 * NARROW_AFTER):
        hostile.send(turn(tick=number), id=number)
    wait_until(lambda: narrowed)
    served.play(5)
    assert len(set(narrowed)) == 1
