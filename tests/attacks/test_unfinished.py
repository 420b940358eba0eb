"""Messages that never end: the connection is cut off, before they fill the memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import zmq

from agents.wire.limits import MAX_REQUEST_BYTES, MAX_UNFINISHED_BYTES
from agents.wire.messages import Error
from tests.support.attacks import greeting
from tests.support.raw_connections import join

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells only on Linux")

FRAME = b"\x03" + (2**20).to_bytes(8, "big") + bytes(2**20)  # long, and more follow
SERVER = """
import sys
from agents.wire.control import ControlServer
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer
def play(observation):
    return 2
if sys.argv[1] == "policies":
    server = PolicyServer(FunctionPolicies(play), endpoint="tcp://127.0.0.1:*", insecure=True)
else:
    server = ControlServer({}, insecure=True)
print(server.endpoint, flush=True)
while True:
    (server.serve_once if sys.argv[1] == "policies" else server.poll)(timeout=0.05)
"""


@pytest.fixture(params=["policies", "control"])
def child(request):
    """A server in a process of its own, and its endpoint."""
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, request.param], stdout=subprocess.PIPE, text=True, cwd=root
    ) as process:
        yield process, process.stdout.readline().strip()
        process.kill()


def resident_mb(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def fill(endpoint):
    """Send more of one message than is held, and wait until the connection is cut off."""
    with join(endpoint) as raw:
        try:
            for _ in range(MAX_UNFINISHED_BYTES // 2**20 + 8):
                raw.sendall(FRAME)
            while raw.recv(4096):
                pass
        except ConnectionError:
            pass


def test_a_message_without_an_end_is_cut_off_and_its_memory_is_free_again(child):
    process, endpoint = child
    fill(endpoint)
    before = resident_mb(process)
    for _ in range(20):  # half a gigabyte
        fill(endpoint)
    assert resident_mb(process) - before < 150


def test_a_peer_that_sends_as_much_in_whole_messages_stays_connected(served, peer):
    heavy = peer(served.endpoint)
    monitor = heavy.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
    heavy.ask(greeting())
    sent = 0
    while sent < 6 * MAX_UNFINISHED_BYTES:
        assert isinstance(heavy.ask(bytes(MAX_REQUEST_BYTES)), Error)
        sent += MAX_REQUEST_BYTES
    assert not monitor.poll(0)


def test_beside_a_message_without_an_end_another_seat_is_answered(served):
    with join(served.endpoint) as raw:
        for _ in range(12):
            raw.sendall(FRAME)
            served.play(3)
