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
from gymnasium import spaces
from onnx import TensorProto, helper, numpy_helper

from agents.seats.controller import SeatSpec
from agents.snapshots.card import SnapshotCard
from agents.snapshots.store import Snapshot, SnapshotStore
from agents.spaces import action_signature, observation_signature
from agents.wire.encoding import pack
from agents.wire.messages import Act, encode

OBSERVATIONS, ACTIONS = spaces.Box(-1, 1, (4,), np.float32), spaces.Discrete(5)

SERVER = """
import sys
from agents.wire.server import PolicyServer, run_until_signalled
from agents.snapshots.store import Snapshot, SnapshotStore
with PolicyServer(SnapshotStore(sys.argv[1]), endpoint=sys.argv[2]) as server:
    run_until_signalled(server, ready=lambda endpoint: print(endpoint, flush=True))
"""


def build_policy(favourite: int = 2, *, masked: bool = True, weight: float = 3.0) -> bytes:
    """A graph whose likeliest action is `favourite`, more so the greater `weight`."""
    bias = np.zeros(5, np.float32)
    bias[favourite] = weight
    weights = np.random.default_rng(0).normal(0, 0.1, (4, 5)).astype(np.float32)
    inputs = [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", 4])]
    nodes = [
        helper.make_node("Gemm", ["observation", "w", "b"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["shares"], axis=1),
    ]
    if masked:
        inputs.append(helper.make_tensor_value_info("action_mask", TensorProto.INT8, ["batch", 5]))
        nodes.append(helper.make_node("Cast", ["action_mask"], ["legal"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("Mul", ["shares", "legal"], ["action_probabilities"]))
    else:
        nodes.append(helper.make_node("Identity", ["shares"], ["action_probabilities"]))
    output = helper.make_tensor_value_info("action_probabilities", TensorProto.FLOAT, ["batch", 5])
    initial = [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(bias, "b")]
    return finish_model(nodes, inputs, [output], initial)


def finish_model(nodes: Any, inputs: Any, outputs: Any, weights: Any) -> bytes:
    graph = helper.make_graph(nodes, "policy", inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    return model.SerializeToString()


def make_card(name: str, **changes: Any) -> SnapshotCard:
    fields = {
        "game": "test/game",
        "observation": observation_signature(OBSERVATIONS),
        "action": action_signature(ACTIONS),
        "masked": True,
    }
    return SnapshotCard(name=name, **(fields | changes))


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


def counter_model() -> bytes:
    """Plays the number of turns seen so far in the episode."""
    make = helper.make_tensor_value_info
    inputs = [
        make("observation", TensorProto.FLOAT, ["batch", 4]),
        make("state_in_count", TensorProto.FLOAT, ["batch", 1]),
    ]
    outputs = [
        make("action_probabilities", TensorProto.FLOAT, ["batch", 5]),
        make("state_out_count", TensorProto.FLOAT, ["batch", 1]),
    ]
    one = helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0])
    places = helper.make_tensor("places", TensorProto.FLOAT, [5], [0, 1, 2, 3, 4])
    nodes = [
        helper.make_node("Add", ["state_in_count", "one"], ["state_out_count"]),
        helper.make_node("Equal", ["state_in_count", "places"], ["same"]),
        helper.make_node("Cast", ["same"], ["action_probabilities"], to=TensorProto.FLOAT),
    ]
    return finish_model(nodes, inputs, outputs, [one, places])


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
