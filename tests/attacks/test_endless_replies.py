"""Servers whose message never ends: the client's memory stays bounded by bytes, and the seat or request ends."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.attacks import LIMIT
from tests.support.raw_connections import GREETING

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells only on Linux")

FRAME = b"\x03" + (2**20).to_bytes(8, "big") + bytes(2**20)  # long, and more follow
ENOUGH = 400  # frames that are sent before a client is told to look

HEAD = """
import json, resource, sys
from agents.seats.controller import ControllerError, Turn
from agents.wire.client import RemoteController
from agents.wire.control import ControlClient, ControlError, EventSubscriber
from arcade.session.training.client import TrainerClient
from tests.support.attacks import OBSERVATION, SEAT

def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

address, before = sys.argv[1], peak_mb()
"""
SEAT = """
seat = RemoteController(address)
seat.reset(SEAT, seed=1)
sys.stdin.readline()  # as in a paused match, which asks nothing
try:
    while True:
        seat.observe(Turn("one", 0, OBSERVATION))
        seat.act()
except ControllerError as error:
    said = str(error)
"""
CONTROL = """
client = ControlClient(address)
sys.stdin.readline()
try:
    client.call("status", timeout=60.0)
except ControlError as error:
    said = str(error)
"""
EVENTS = """
client = TrainerClient("", address)
sys.stdin.readline()
while not (said := client.refusal):
    client.update(0.0)
"""
TAIL = """
print(json.dumps([said, peak_mb() - before]), flush=True)
"""


class Hostile:
    """Shakes hands with everyone who connects, and then sends one message for ever."""

    def __init__(self, kind: bytes) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://insecure@127.0.0.1:{self._listener.getsockname()[1]}"
        self._ready = b"\x05READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
        self.sent, self.connections = 0, 0
        self.is_enough = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._fill, args=(connection,), daemon=True).start()

    def _fill(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.sendall(GREETING + b"\x04" + bytes([len(self._ready)]) + self._ready)
            while True:
                connection.sendall(FRAME)
                self.sent += 1
                if self.sent >= ENOUGH:
                    self.is_enough.set()

    def close(self) -> None:
        self._listener.close()


@pytest.mark.parametrize(
    ("kind", "client"), [(b"ROUTER", SEAT), (b"ROUTER", CONTROL), (b"PUB", EVENTS)], ids=["seat", "control", "events"]
)
def test_a_message_without_an_end_is_not_held_and_ends_what_waits_for_it(kind, client):
    hostile = Hostile(kind)
    command = [sys.executable, "-c", HEAD + client + TAIL, hostile.address]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert hostile.is_enough.wait(LIMIT), (hostile.sent, hostile.connections)
        out, _ = process.communicate("\n", timeout=LIMIT)
    hostile.close()
    said, grown_mb = json.loads(out)
    assert "a message without an end" in said
    assert hostile.connections > 1
    assert grown_mb < 250
