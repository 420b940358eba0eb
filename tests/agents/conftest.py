"""Tiny policies, stores and servers for the tests of agents."""

from __future__ import annotations

import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.seats.controller import SeatSpec
from agents.snapshots.card import SnapshotCard
from agents.snapshots.store import Snapshot, SnapshotStore
from agents.wire.encoding import pack
from agents.wire.messages import Act, encode
from agents.wire.server import PolicyServer
from tests.support.policy_clients import Client
from tests.support.tiny_policies import ACTIONS, OBSERVATIONS, build_policy, counter_model, finish_model, make_card

SERVER = """
import sys
from agents.wire.server import PolicyServer, run_until_signalled
from agents.snapshots.store import Snapshot, SnapshotStore
with PolicyServer(SnapshotStore(sys.argv[1]), endpoint=sys.argv[2]) as server:
    run_until_signalled(server, ready=lambda endpoint: print(endpoint, flush=True))
"""


@pytest.fixture
def policy() -> Callable[..., bytes]:
    return build_policy


@pytest.fixture
def model() -> Callable[..., bytes]:
    return finish_model


@pytest.fixture
def card() -> Callable[..., SnapshotCard]:
    return make_card


@pytest.fixture
def seat() -> SeatSpec:
    return SeatSpec(game="test/game", agent="one", observation_space=OBSERVATIONS, action_space=ACTIONS)


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    """A store with one snapshot, "first"."""
    store = SnapshotStore(tmp_path / "snapshots")
    store.save(make_card("first"), build_policy())
    return store


@pytest.fixture
def counter(store: SnapshotStore) -> Snapshot:
    """A recurrent snapshot that plays the number of turns seen so far in the episode."""
    return store.save(make_card("counter", masked=False), counter_model())


@pytest.fixture
def until() -> Callable[..., None]:
    """Turn a crank until something is so, or fail after a minute."""

    def crank_until(is_so: Callable[[], bool], crank: Callable[[], object], *, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, f"waited {seconds} s for {is_so}"
            crank()

    return crank_until


@pytest.fixture
def server(store: SnapshotStore) -> Iterator[PolicyServer]:
    """A policy server of the store, which the test turns."""
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        yield server


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    clients: list[Client] = []

    def make(server: PolicyServer, **more: Any) -> Client:
        clients.append(Client(server, **more))
        return clients[-1]

    yield make
    for client in clients:
        client.socket.close()


class ServerProcess:
    """A policy server in a process of its own."""

    def __init__(self, store: SnapshotStore, endpoint: str = "tcp://127.0.0.1:*") -> None:
        command = [sys.executable, "-c", SERVER, str(store.root), endpoint]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.endpoint = self.process.stdout.readline().strip()
        assert self.endpoint.startswith("tcp://"), "the server did not start"

    def end(self) -> None:
        self.process.kill()
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def start_server() -> Iterator[Callable[..., ServerProcess]]:
    started: list[ServerProcess] = []

    def start(*args: Any) -> ServerProcess:
        started.append(ServerProcess(*args))
        return started[-1]

    yield start
    for server in started:
        server.end()


@pytest.fixture
def huge_empty_act() -> bytes:
    """An act in the fixed layout whose array has no values, and sizes whose product numpy cannot hold."""
    small = np.zeros((0, 1, 1, 1), np.float32)
    whole = pack(small)
    sizes = struct.pack("<4I", *small.shape)
    huge = whole.replace(sizes, struct.pack("<4I", 0, *[2**32 - 1] * 3))
    return encode(Act(1, 2, small), id=5).replace(whole, huge)
