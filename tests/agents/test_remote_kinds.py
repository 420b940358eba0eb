"""Remote seats of every kind of policy on a real server, and how many graphs that server keeps open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from gymnasium import spaces
from onnx import TensorProto, helper

from agents.seats.controller import Turn
from agents.spaces import action_signature
from agents.wire.client import RemoteController
from agents.wire.served_policies import StorePolicies
from agents.wire.server import PolicyServer

make_port = helper.make_tensor_value_info
OBSERVATION = np.zeros(4, np.float32)

pytestmark = pytest.mark.usefixtures("patient")


def constant(name, values):
    return helper.make_tensor(name, TensorProto.FLOAT, [len(values)], values)


def multi_discrete_model(model):
    """Always (1, 0, 2), for parts of 2, 1 and 3 actions."""
    nodes = [
        helper.make_node("MatMul", ["observation", "nought"], ["none"]),
        helper.make_node("Add", ["none", "shares"], ["action_probabilities"]),
    ]
    nought = helper.make_tensor("nought", TensorProto.FLOAT, [4, 6], [0.0] * 24)
    output = make_port("action_probabilities", TensorProto.FLOAT, ["batch", 6])
    observation = make_port("observation", TensorProto.FLOAT, ["batch", 4])
    return model(nodes, [observation], [output], [nought, constant("shares", [0, 1, 1, 0, 0, 1])])


def box_model(model):
    """What it sees, with hardly any spread."""
    names = ("observation", "action_mean", "action_log_std")
    ports = [make_port(name, TensorProto.FLOAT, ["batch", 4]) for name in names]
    nodes = [
        helper.make_node("Identity", ["observation"], ["action_mean"]),
        helper.make_node("Sub", ["observation", "observation"], ["nought"]),
        helper.make_node("Add", ["nought", "small"], ["action_log_std"]),
    ]
    return model(nodes, ports[:1], ports[1:], [constant("small", [-30.0])])


def counter_model(model):
    """Plays the number of turns seen so far in the episode."""
    ports = [
        make_port("observation", TensorProto.FLOAT, ["batch", 4]),
        make_port("state_in_count", TensorProto.FLOAT, ["batch", 1]),
        make_port("action_probabilities", TensorProto.FLOAT, ["batch", 5]),
        make_port("state_out_count", TensorProto.FLOAT, ["batch", 1]),
    ]
    nodes = [
        helper.make_node("Add", ["state_in_count", "one"], ["state_out_count"]),
        helper.make_node("Equal", ["state_in_count", "places"], ["same"]),
        helper.make_node("Cast", ["same"], ["action_probabilities"], to=TensorProto.FLOAT),
    ]
    return model(nodes, ports[:2], ports[2:], [constant("one", [1.0]), constant("places", [0, 1, 2, 3, 4])])


@pytest.fixture
def play(until):
    """Answers of remote seats, asked all together turn by turn."""

    def ask(server, remotes, observation, ticks):
        rows = []
        for tick in range(ticks):
            for remote in remotes:
                remote.observe(Turn("one", tick, observation))

            def all_answered():
                return all(remote.act() is not None for remote in remotes)

            until(all_answered, lambda: server.serve_once(timeout=0.02))
            rows.append([remote.act() for remote in remotes])
        return rows

    return ask


@pytest.fixture
def remotes(request):
    made = []

    def start(server, seats, policies):
        for seat, policy in zip(seats, policies, strict=True):
            made.append(RemoteController(server.endpoint, policy))
            made[-1].reset(seat, seed=1)
        return made[-len(seats) :]

    yield start
    for remote in made:
        remote.close()


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize(
    ("space", "build", "seen", "answer"),
    [
        (spaces.MultiDiscrete([2, 1, 3]), multi_discrete_model, [0, 0, 0, 0], [1, 0, 2]),
        (spaces.Box(-0.5, 0.5, (4,), np.float32), box_model, [-2, -0.25, 0.25, 2], [-0.5, -0.25, 0.25, 0.5]),
    ],
    ids=["multi_discrete", "box"],
)
def test_actions_that_are_arrays_arrive_whole(
    space, build, seen, answer, seats, store, card, model, seat, play, remotes
):
    store.save(card("array", masked=False, action=action_signature(space)), build(model))
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        players = remotes(server, [replace(seat, action_space=space)] * seats, ["array"] * seats)
        for action in play(server, players, np.array(seen, np.float32), 2)[-1]:
            assert space.contains(action)
            assert np.allclose(action, answer)


def test_memory_is_each_seats_own_and_cleared_by_reset(store, card, model, seat, play, remotes):
    store.save(card("counter", masked=False), counter_model(model))
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        players = remotes(server, [seat] * 2, ["counter"] * 2)
        assert play(server, players[:1], OBSERVATION, 2) == [[0], [1]]
        assert play(server, players, OBSERVATION, 2) == [[2, 0], [3, 1]]
        players[0].reset(seat, seed=2)
        assert play(server, players, OBSERVATION, 2) == [[0, 2], [1, 3]]


def test_few_graphs_stay_open_however_many_are_played(store, card, policy, seat, play, remotes):
    names = [f"player-{favourite}" for favourite in range(5)]
    for favourite, name in enumerate(names):
        store.save(card(name), policy(favourite, weight=50))
    policies = StorePolicies(store, max_open=2)
    with PolicyServer(policies, endpoint="tcp://127.0.0.1:*") as server:
        players = remotes(server, [seat] * 5, names)
        for _ in range(2):
            assert play(server, players, OBSERVATION, 2) == [[0, 1, 2, 3, 4]] * 2
            assert policies.graphs.get.cache_info().currsize == 2
        assert server.counts.inferences >= 20


def test_a_graph_that_is_gone_when_it_is_wanted_again_is_an_error_to_its_seat(
    store, card, policy, seat, play, remotes, until
):
    store.save(card("second"), policy(4, weight=50))
    with PolicyServer(StorePolicies(store, max_open=1), endpoint="tcp://127.0.0.1:*") as server:
        first, second = remotes(server, [seat] * 2, ["first", "second"])
        play(server, [first], OBSERVATION, 1)
        assert play(server, [second], OBSERVATION, 1) == [[4]]
        (store.root / "first" / "policy.onnx").unlink()
        first.observe(Turn("one", 7, OBSERVATION))
        until(lambda: first.counts.errors or first.act(), lambda: server.serve_once(timeout=0.02))
        assert "first" in first.last_error
        assert play(server, [second], OBSERVATION, 1) == [[4]]
