"""A remote seat beside a bare ZeroMQ echo, and 64 clients at once beside the same requests one after another.

Prints ``rtt_ratio`` (at most 2.5: the p50 round trip of a RemoteController over that of the same bytes through a
DEALER and a ROUTER that sends them back, server in a child process in both) and ``batching_gain`` (at least 4:
answered requests a second).  Both sides alternate, and each ratio is the median over pairs that stood side by side,
so that other work on the machine falls on both.
"""

from __future__ import annotations

import json
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from statistics import median
from typing import Any

import numpy as np
import onnx
import zmq
from gymnasium import spaces
from onnx import TensorProto, helper, numpy_helper

from agents.seats.controller import SeatSpec, Turn
from agents.snapshots.card import SnapshotCard
from agents.snapshots.store import SnapshotStore
from agents.spaces import action_signature, observation_signature
from agents.wire.client import RemoteController
from agents.wire.messages import Act, ActionReply, Welcome, decode, encode
from agents.wire.server import PolicyServer
from tests.support.attacks import greeting
from tests.support.peers import open_peer

OBSERVATIONS, ACTIONS, HIDDEN = spaces.Box(-1, 1, (20,)), spaces.Discrete(6), 64
SEAT = SeatSpec(game="bench/mark", agent="one", observation_space=OBSERVATIONS, action_space=ACTIONS)
ALTERNATIONS, ROUND_TRIPS, CLIENTS, ROUNDS = 25, 100, 64, 4


def make_policy() -> bytes:
    """A two-layer policy of the size that self-play trains for a small game."""
    rng = np.random.default_rng(0)
    sizes = [(20, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 6)]
    weights = [numpy_helper.from_array(rng.normal(0, 0.3, s).astype(np.float32), f"w{i}") for i, s in enumerate(sizes)]
    nodes = [
        helper.make_node("MatMul", ["observation", "w0"], ["a"]),
        helper.make_node("Tanh", ["a"], ["b"]),
        helper.make_node("MatMul", ["b", "w1"], ["c"]),
        helper.make_node("Tanh", ["c"], ["d"]),
        helper.make_node("MatMul", ["d", "w2"], ["e"]),
        helper.make_node("Softmax", ["e"], ["action_probabilities"], axis=1),
    ]
    ports = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size])
        for name, size in (("observation", 20), ("action_probabilities", 6))
    ]
    graph = helper.make_graph(nodes, "policy", ports[:1], ports[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(model)
    return model.SerializeToString()


def run_echo(pipe: Connection) -> None:
    """Child: send back whatever comes."""
    socket = zmq.Context.instance().socket(zmq.ROUTER)
    port = socket.bind_to_random_port("tcp://127.0.0.1")
    pipe.send(f"tcp://127.0.0.1:{port}")
    while True:
        socket.send_multipart(socket.recv_multipart())


def run_server(pipe: Connection) -> None:
    """Child: the policy server with one snapshot."""
    with tempfile.TemporaryDirectory() as folder:
        store = SnapshotStore(folder)
        card = SnapshotCard(
            name="bench",
            game=SEAT.game,
            observation=observation_signature(OBSERVATIONS),
            action=action_signature(ACTIONS),
        )
        store.save(card, make_policy())
        with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
            pipe.send(server.endpoint)
            server.run()


@contextmanager
def child(target: Callable[[Connection], None]) -> Iterator[str]:
    """A child process that sends its endpoint, and is ended behind the block."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=target, args=(theirs,), daemon=True)
    process.start()
    try:
        if not ours.poll(60):
            raise TimeoutError("expected an endpoint from the child within 60 s, got none")
        yield ours.recv()
    finally:
        process.kill()
        process.join()


def connect_to_echo(endpoint: str) -> Any:
    socket = zmq.Context.instance().socket(zmq.DEALER)
    socket.setsockopt(zmq.LINGER, 0)
    socket.connect(endpoint)
    return socket


def echo_trip(socket: Any, frame: bytes) -> float:
    """Seconds for the bytes there and back."""
    start = time.perf_counter()
    socket.send(frame)
    socket.poll(10_000)
    socket.recv()
    return time.perf_counter() - start


def seat_trip(controller: RemoteController, turn: Turn) -> float:
    """Seconds from the turn to its action."""
    start = time.perf_counter()
    controller.observe(turn)
    controller._socket.poll(10_000)
    while controller.act() is None:
        controller._socket.poll(10_000)
    return time.perf_counter() - start


def measure_round_trips(echo: str, server: str) -> tuple[list[float], list[float]]:
    """p50 of each alternation: bare echo, remote seat."""
    observation = OBSERVATIONS.sample()
    frame = encode(Act(1, 1000, observation), id=1000)
    socket, controller = connect_to_echo(echo), RemoteController(server)
    controller.reset(SEAT, seed=1)
    bare, seated = [], []
    for _ in range(ALTERNATIONS + 1):
        bare.append(median(echo_trip(socket, frame) for _ in range(ROUND_TRIPS)))
        seated.append(median(seat_trip(controller, Turn("one", i, observation)) for i in range(ROUND_TRIPS)))
    controller.close()
    socket.close()
    return bare[1:], seated[1:]  # the first alternation warms both up


def greet(endpoint: str, seat: int) -> Any:
    """A client that the server has welcomed."""
    socket = open_peer(endpoint)
    socket.send(encode(greeting(seat, SEAT), id=1))
    assert socket.poll(10_000)
    assert isinstance(decode(socket.recv())[1], Welcome)
    return socket


def measure_rates(server: str) -> tuple[list[float], list[float]]:
    """Answered requests a second: one after another, 64 clients at once."""
    sockets = [greet(server, seat) for seat in range(CLIENTS)]
    frames = [encode(Act(seat, 7, OBSERVATIONS.sample()), id=7) for seat in range(CLIENTS)]
    single, together = [], []
    for _ in range(ALTERNATIONS + 1):
        single.append(rate(lambda: ask_in_turn(sockets, frames)))
        together.append(rate(lambda: ask_together(sockets, frames)))
    for socket in sockets:
        socket.close()
    return single[1:], together[1:]


def rate(ask: Callable[[], list[bytes]]) -> float:
    start = time.perf_counter()
    replies = [reply for _ in range(ROUNDS) for reply in ask()]
    seconds = time.perf_counter() - start
    assert all(isinstance(decode(reply)[1], ActionReply) for reply in replies)
    return len(replies) / seconds


def ask_in_turn(sockets: list[Any], frames: list[bytes]) -> list[bytes]:
    replies = []
    for socket, frame in zip(sockets, frames, strict=True):
        socket.send(frame)
        socket.poll(10_000)
        replies.append(socket.recv())
    return replies


def ask_together(sockets: list[Any], frames: list[bytes]) -> list[bytes]:
    for socket, frame in zip(sockets, frames, strict=True):
        socket.send(frame)
    return [socket.recv() for socket in sockets]


def median_ratio(over: list[float], under: list[float]) -> float:
    return median(one / other for one, other in zip(over, under, strict=True))


def main() -> None:
    with child(run_echo) as echo, child(run_server) as server:
        bare, seated = measure_round_trips(echo, server)
        single, together = measure_rates(server)
    figures = {
        "rtt_ratio": round(median_ratio(seated, bare), 3),
        "batching_gain": round(median_ratio(together, single), 3),
        "echo_ms": round(median(bare) * 1000, 4),
        "remote_ms": round(median(seated) * 1000, 4),
        "single_per_second": round(median(single)),
        "together_per_second": round(median(together)),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
