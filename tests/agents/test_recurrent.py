"""Policies with memory, by every way that one decides: in a batch, in a seat, in the pool's seat, on the server."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from gymnasium import spaces
from onnx import TensorProto, helper

from agents.policies.snapshot_controller import PoolController, SnapshotController
from agents.seats.controller import Turn
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotError
from agents.spaces import action_signature, observation_signature
from agents.wire.messages import Act, ActionReply, Error, Hello, decode, encode
from agents.wire.server import PolicyServer
from tests.support.peers import open_peer

OBSERVATION = np.zeros(4, np.float32)
KINDS = [
    (TensorProto.FLOAT, (1,)),  # a cell of a recurrent network
    (TensorProto.INT64, ()),  # a clock
    (TensorProto.UINT8, (3, 2, 2)),  # a stack of frames
    (TensorProto.DOUBLE, (2, 1)),
]


def counter(model, *, by=1, dtype=TensorProto.FLOAT, shape=(1,)):
    """Its n-th turn of an episode (0, 1, ...) is played as action n * by modulo 5: state_out = state_in + 1."""
    make = helper.make_tensor_value_info
    ports = [
        make("observation", TensorProto.FLOAT, ["batch", 4]),
        make("state_in_count", dtype, ["batch", *shape]),
        make("action_probabilities", TensorProto.FLOAT, ["batch", 5]),
        make("state_out_count", dtype, ["batch", *shape]),
    ]
    nodes = [
        helper.make_node("Cast", ["state_in_count"], ["count"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["count", "one"], ["more"]),
        helper.make_node("Cast", ["more"], ["state_out_count"], to=dtype),
        helper.make_node("Flatten", ["count"], ["flat"], axis=1),
        helper.make_node("ReduceMax", ["flat", "last"], ["turn"], keepdims=1),
        helper.make_node("Mul", ["turn", "by"], ["product"]),
        helper.make_node("Mod", ["product", "five"], ["place"], fmod=1),
        helper.make_node("Equal", ["place", "places"], ["same"]),
        helper.make_node("Cast", ["same"], ["action_probabilities"], to=TensorProto.FLOAT),
    ]
    weights = [
        helper.make_tensor("one", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("by", TensorProto.FLOAT, [], [float(by)]),
        helper.make_tensor("five", TensorProto.FLOAT, [], [5.0]),
        helper.make_tensor("places", TensorProto.FLOAT, [5], [0, 1, 2, 3, 4]),
        helper.make_tensor("last", TensorProto.INT64, [1], [1]),
    ]
    return model(nodes, ports[:2], ports[2:], weights)


@pytest.fixture
def save(store, card, model):
    """Save a counter, newer than those before it."""

    def save_counter(name, **changes):
        created = datetime.now(UTC) + timedelta(hours=len(store.list()))
        return store.save(card(name, masked=False, created=created), counter(model, **changes))

    return save_counter


def turns(controller, count, start=0):
    actions = []
    for tick in range(start, start + count):
        controller.observe(Turn("one", tick, OBSERVATION))
        actions.append(controller.act())
    return actions


@pytest.mark.parametrize(("dtype", "shape"), KINDS)
def test_each_row_of_a_batch_has_its_own_memory(save, dtype, shape):
    policy = OnnxPolicy(save("counter", dtype=dtype, shape=shape))
    assert not policy.picks_one
    rows, rng = np.zeros((3, 4), np.float32), np.random.default_rng(0)
    state = policy.initial_state(3)
    assert state["state_in_count"].shape == (3, *shape)
    first = policy.decide(rows, None, rng, state=state)
    ahead = {name: np.concatenate([values[:1], state[name][:1], values[2:]]) for name, values in first.state.items()}
    second = policy.decide(rows, None, rng, state=ahead)  # the row in the middle begins anew
    assert [first.actions.tolist(), second.actions.tolist()] == [[0, 0, 0], [1, 0, 1]]
    assert state["state_in_count"].max() == 0
    assert policy.decide(rows, None, rng).actions.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("dtype", "shape"), KINDS)
def test_a_seat_remembers_its_episode_and_no_other(save, seat, dtype, shape):
    controller = SnapshotController(save("counter", dtype=dtype, shape=shape))
    for seed in range(2):
        controller.reset(seat, seed=seed)
        assert turns(controller, 6) == [0, 1, 2, 3, 4, 0]
        assert controller.act() == 0  # asked again for the same turn it does not count on


def test_a_policy_that_takes_over_begins_with_an_empty_memory(save, seat, store):
    controller = SnapshotController(save("counter"))
    controller.reset(seat, seed=1)
    assert turns(controller, 3) == [0, 1, 2]
    controller.replace(save("doubling", by=2, dtype=TensorProto.UINT8, shape=(3, 2)))
    assert turns(controller, 3) == [0, 2, 4]
    controller.replace(store.get("first"))  # which remembers nothing
    assert turns(controller, 1)[0] in range(5)
    controller.replace(store.get("counter"))
    assert turns(controller, 2) == [0, 1]


def test_a_pool_seat_begins_each_episode_with_an_empty_memory(save, seat, store):
    save("counter")
    save("doubling", by=2, dtype=TensorProto.INT64, shape=())
    shutil.rmtree(store.root / "first")
    controller = PoolController(store, "test/game")
    played = {"counter": [0, 1, 2, 3], "doubling": [0, 2, 4, 1]}
    drawn = set()
    for seed in range(12):
        controller.reset(seat, seed=seed)
        assert turns(controller, 4) == played[controller.label]
        drawn.add(controller.label)
    assert drawn == set(played)


class Client:
    """A seat that writes its own messages."""

    def __init__(self, server, policy):
        self.server, self.socket = server, open_peer(server.endpoint)
        self.policy = policy

    def hello(self):
        observation = observation_signature(spaces.Box(-1, 1, (4,), np.float32))
        message = Hello(seat=1, game="test/game", agent="one", policy=self.policy, observation=observation,
                        action=action_signature(spaces.Discrete(5)))  # fmt: skip
        self.socket.send(encode(message, id=1))
        return self.receive()

    def ask(self, tick, mask=None):
        self.socket.send(encode(Act(1, tick, OBSERVATION, mask), id=tick + 2))

    def receive(self):
        for _ in range(600):
            self.server.serve_once(timeout=0.02)
            if self.socket.poll(20):
                return decode(self.socket.recv())[1]
        raise AssertionError("no reply")


@pytest.fixture
def connect():
    clients = []

    def make(server, policy):
        clients.append(Client(server, policy))
        clients[-1].hello()
        return clients[-1]

    yield make
    for client in clients:
        client.socket.close()


@pytest.fixture
def together(until):
    """One turn of several clients, answered from one look into the server's queue."""

    def ask(server, clients, tick, masks=None):
        for client, mask in zip(clients, masks or [None] * len(clients), strict=True):
            client.ask(tick, mask)
        taken, drain = [], server._drain
        until(lambda: len(taken) == len(clients), lambda: taken.extend(drain(0.02)))
        server._drain = lambda timeout: taken
        try:
            server.serve_once()
        finally:
            server._drain = drain
        return [client.receive() for client in clients]

    return ask


@pytest.mark.parametrize(("dtype", "shape"), KINDS)
def test_two_clients_in_one_inference_keep_their_own_memories(save, store, connect, together, dtype, shape):
    save("counter", dtype=dtype, shape=shape)
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        one, two = connect(server, "counter"), connect(server, "counter")
        assert [together(server, [one], tick)[0].action for tick in range(2)] == [0, 1]
        before = server.counts.inferences
        assert [reply.action for reply in together(server, [one, two], 2)] == [2, 0]
        assert [reply.action for reply in together(server, [two, one], 3)] == [1, 3]
        assert server.counts.inferences == before + 2
        one.hello()
        assert [reply.action for reply in together(server, [one, two], 4)] == [0, 2]


def test_a_newer_policy_on_the_server_begins_with_an_empty_memory(save, store, connect, together):
    save("counter")
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        one, named = connect(server, "latest"), connect(server, "counter")
        assert [[r.action for r in together(server, [one, named], tick)] for tick in range(2)] == [[0, 0], [1, 1]]
        save("doubling", by=2, dtype=TensorProto.INT64, shape=(2,))
        server._refresh()
        replies = [together(server, [one, named], tick) for tick in range(2, 5)]
        assert [[reply.action for reply in pair] for pair in replies] == [[0, 2], [2, 3], [4, 4]]
        assert replies[0][0].policy == "doubling"


def test_a_seat_that_leaves_no_legal_action_fails_alone(save, store, connect, together):
    save("counter")
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        clients = [connect(server, "counter") for _ in range(3)]
        nothing = np.zeros(5, np.int8)
        replies = together(server, clients, 0, [None, nothing, None])
        assert [type(reply) for reply in replies] == [ActionReply, Error, ActionReply]
        assert "legal action" in replies[1].text
        assert [reply.action for reply in together(server, clients, 1)] == [1, 0, 1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"shape": ("width",)}, r"'state_in_count' as numbers \(open batch, fixed"),
        ({"dtype": TensorProto.STRING}, "'state_in_count' as numbers"),
    ],
)
def test_a_memory_whose_beginning_nobody_can_know_is_refused(save, change, said):
    with pytest.raises(SnapshotError, match=said):
        save("counter", **change)


@pytest.mark.parametrize(
    ("dtype", "shape"), [(TensorProto.INT64, ["batch", 1]), (TensorProto.FLOAT, ["batch", 2])], ids=["type", "size"]
)
def test_what_comes_out_must_be_fit_to_go_in_again(store, card, model, dtype, shape):
    make = helper.make_tensor_value_info
    inputs = [make("observation", TensorProto.FLOAT, ["batch", 5]), make("state_in_x", TensorProto.FLOAT, ["batch", 1])]
    outputs = [make("action_probabilities", TensorProto.FLOAT, ["batch", 5]), make("state_out_x", dtype, shape)]
    nodes = [helper.make_node("Softmax", ["observation"], ["action_probabilities"], axis=1)]
    nodes.append(helper.make_node("Identity", ["state_in_x"], ["state_out_x"]))
    wide = observation_signature(spaces.Box(-1, 1, (5,), np.float32))
    with pytest.raises(SnapshotError, match="'state_out_x' as float32"):
        store.save(card("bad", masked=False, observation=wide), model(nodes, inputs, outputs, []))
