"""What does not speak the protocol at all: web pages, half-open connections, frames without an end."""

from __future__ import annotations

import socket
import struct
from contextlib import suppress

import pytest

from agents.wire.messages import Control, encode
from tests.support.attacks import greeting, wait_until
from tests.support.raw_connections import GREETING, READY, connect, join

INSTANT = 0.05
"""Seconds that a call waits: the tests look again and again."""

POST = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n"


def is_closed(connection: socket.socket) -> bool:
    try:
        return not connection.recv(65536)
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def send(connection: socket.socket, data: bytes) -> None:
    with suppress(OSError):
        connection.sendall(data)


def test_the_same_bytes_with_a_good_message_are_answered(served):
    with join(served.endpoint, timeout=INSTANT) as page:
        hello = encode(greeting())
        send(page, b"\x02" + struct.pack(">Q", len(hello)) + hello)
        received = bytearray()

        def receive() -> None:
            with suppress(TimeoutError):
                received.extend(page.recv(65536))

        wait_until(lambda: b"welcome" in received, receive)


STRANGERS = {
    "GET": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "POST with an order": POST + encode(Control(name="stop"), id=1),
    "POST with a greeting": POST + GREETING + READY + b"\x00\x20" + encode(Control(name="stop"), id=1),
    "TLS": bytes.fromhex("16030100c8010000c40303") + bytes(200),
    "zeros": bytes(10_000),
    "a greeting of ZMTP 2": b"\xff" + bytes(7) + b"\x01\x7f\x01\x05\x00\x00",
    "a greeting of ZMTP 1": b"\x01\x00" + b"\x30\x00" + encode(Control(name="stop"), id=1),
}


@pytest.mark.parametrize("data", STRANGERS.values(), ids=STRANGERS.keys())
def test_bytes_of_another_protocol_are_obeyed_by_no_socket(served, controlled, data):
    for endpoint in (served.endpoint, controlled.endpoint):
        with connect(endpoint, timeout=INSTANT) as page:
            send(page, data)
            is_closed(page)
    served.play()
    controlled.obeys()
    assert "stop" not in controlled.obeyed


@pytest.mark.parametrize("size", [2**62, 2**63 - 1, 2**32, 17 * 2**20])
def test_a_frame_that_announces_too_many_bytes_closes_its_connection(served, size):
    with join(served.endpoint, timeout=INSTANT) as page:
        send(page, b"\x02" + struct.pack(">Q", size))
        send(page, bytes(1000))
        wait_until(lambda: is_closed(page), lambda: send(page, bytes(1000)))
    served.play()


def test_connections_that_say_nothing_or_half_a_greeting_keep_nobody_waiting(served, controlled):
    silent = [connect(endpoint) for endpoint in (served.endpoint, controlled.endpoint) for _ in range(100)]
    for number, connection in enumerate(silent):
        send(connection, GREETING[: number % 60])
    served.play()
    controlled.obeys()
    for connection in silent:
        connection.close()


def test_a_message_that_comes_byte_by_byte_keeps_nobody_waiting(served):
    with join(served.endpoint, timeout=INSTANT) as page:
        send(page, b"\x02" + struct.pack(">Q", 100_000))
        for _ in range(100):
            send(page, b"x")
            served.play(1)
