"""A policy server in ordinary use, and what it says of requests that are wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest
import zmq
from gymnasium import spaces

from agents.snapshots.store import SnapshotStore
from agents.spaces import action_signature
from agents.wire.messages import (
    Act,
    ActionReply,
    Control,
    Error,
    GetSnapshot,
    ListSnapshots,
    SnapshotReply,
    Snapshots,
    Welcome,
)
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer
from tests.support.policy_clients import OBSERVATION, hello


def test_hello_then_act(server, connect):
    client = connect(server)
    assert client.ask(hello()) == Welcome(seat=1, policy="first", server="policy server")
    reply = client.ask(Act(1, 17, OBSERVATION, np.array([0, 0, 0, 0, 1], np.int8)), id=8)
    assert (reply.tick, reply.action, reply.policy) == (17, 4, "first")


def test_requests_that_come_together_take_one_inference(server, connect, until):
    clients = [connect(server) for _ in range(16)]
    for client in clients:
        client.ask(hello())
    before = server.counts.inferences
    for client in clients:
        client.send(Act(1, 3, OBSERVATION, None))
    # every frame lies in the server's queue before it takes one
    ready = zmq.Poller()
    ready.register(server._socket, zmq.POLLIN)
    taken = []
    drain = server._drain
    until(lambda: len(taken) == 16, lambda: taken.extend(drain(0.05)))
    server._drain = lambda timeout: taken
    server.serve_once()
    server._drain = drain
    assert server.counts.inferences == before + 1
    assert all(isinstance(client.receive()[1], ActionReply) for client in clients)
    assert server.counts.answered == 16


def play_episode(client, seed, *, turns=40, others=()):
    """The actions of one episode of seat 1, the seats of `others` asking in between."""
    assert isinstance(client.ask(hello(1, seed=seed)), Welcome)
    actions = []
    for tick in range(turns):
        for other in others:
            other.ask(Act(1, tick, OBSERVATION))
        actions.append(client.ask(Act(1, tick, OBSERVATION)).action)
    return actions


def test_a_seats_seed_fixes_its_actions_whoever_else_plays(store, card, policy, connect):
    store.save(card("even"), policy(weight=0.0))
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        client, other = connect(server), connect(server)
        other.ask(hello(1))
        alone = play_episode(client, 7)
        assert play_episode(client, 7, others=[other]) == alone
        assert play_episode(client, 8) != alone


def test_seats_that_are_inferred_together_draw_as_they_would_alone(store, card, policy, connect, until):
    store.save(card("even"), policy(weight=0.0))
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        clients = [connect(server) for _ in range(3)]
        alone = [play_episode(client, seed, turns=10) for seed, client in enumerate(clients)]
        for seed, client in enumerate(clients):
            client.ask(hello(1, seed=seed))
        together = []
        for tick in range(10):
            before, taken, drain = server.counts.inferences, [], server._drain
            for client in clients:
                client.send(Act(1, tick, OBSERVATION))
            until(lambda: len(taken) == 3, lambda: taken.extend(drain(0.05)))  # noqa: B023
            server._drain = lambda timeout: taken  # noqa: B023
            server.serve_once()
            server._drain = drain
            assert server.counts.inferences == before + 1
            together.append([client.receive()[1].action for client in clients])
        assert [list(actions) for actions in zip(*together, strict=True)] == alone


def test_a_function_draws_from_its_seats_seed(connect):
    policies = FunctionPolicies(lambda observation, mask, rng: int(rng.integers(5)))
    with PolicyServer(policies, endpoint="tcp://127.0.0.1:*") as server:
        client = connect(server)
        assert play_episode(client, 7) == play_episode(client, 7) != play_episode(client, 8)


def test_of_several_acts_of_a_seat_the_newest_is_answered_and_the_others_refused(server, connect, until):
    client = connect(server)
    client.ask(hello())
    taken, drain = [], server._drain
    for tick in range(5):
        client.send(Act(1, tick, OBSERVATION), id=tick)
    until(lambda: len(taken) == 5, lambda: taken.extend(drain(0.05)))
    server._drain = lambda timeout: taken
    server.serve_once()
    server._drain = drain
    replies = dict(client.receive() for _ in range(5))
    assert [replies[tick].code for tick in range(4)] == ["superseded"] * 4
    assert replies[4].tick == 4
    assert server.counts.superseded == 4


def test_several_seats_share_a_socket_and_play_different_policies(server, store, connect, card, policy):
    store.save(card("second"), policy(4, weight=50))
    client = connect(server)
    assert client.ask(hello(1, policy="first")).policy == "first"
    assert client.ask(hello(2, policy="second")).policy == "second"
    assert client.ask(Act(2, 0, OBSERVATION)).action == 4
    assert client.ask(Act(1, 0, OBSERVATION)).policy == "first"


def test_latest_moves_on_to_a_newer_snapshot_by_itself(server, store, connect, card, policy, until):
    client = connect(server)
    client.ask(hello(1, policy="latest"))
    client.ask(hello(2, policy="first"))
    store.save(card("newer"), policy(3, weight=50))
    until(lambda: client.ask(Act(1, 0, OBSERVATION)).policy == "newer", lambda: server.serve_once(timeout=0.05))
    assert client.ask(Act(1, 0, OBSERVATION)).action == 3
    assert client.ask(Act(2, 0, OBSERVATION)).policy == "first"


def test_best_moves_on_when_the_ladder_says_so(tmp_path, connect, card, policy, until):
    strength = {"one": 2.0, "two": 1.0}
    store = SnapshotStore(tmp_path / "rated", rating=lambda game, name: strength[name])
    store.save(card("one"), policy())
    store.save(card("two"), policy(3, weight=50))
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        client = connect(server)
        assert client.ask(hello(policy="best")).policy == "one"
        assert client.ask(hello(2, policy="")).policy == "one"
        strength["two"] = 3.0
        until(lambda: client.ask(Act(1, 0, OBSERVATION)).policy == "two", lambda: server.serve_once(timeout=0.05))


def test_the_latest_of_each_role_is_who_plays_it(server, store, connect, card, policy, until):
    store.save(card("chaser", agents=("two",)), policy())
    client = connect(server)
    assert client.ask(hello(1, agent="two", policy="latest")).policy == "chaser"
    assert client.ask(hello(2, agent="one", policy="latest")).policy == "first"
    assert client.ask(hello(3, agent="one", policy="chaser")).code == "mismatch"
    store.save(card("runner", agents=("one",)), policy())
    until(lambda: client.ask(hello(2, agent="one")).policy == "runner", lambda: server.serve_once(timeout=0.05))
    until(lambda: client.ask(Act(1, 0, OBSERVATION)).policy == "chaser", lambda: None)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (Act(9, 0, OBSERVATION), "unknown_seat"),
        (hello(policy="nobody"), "no_policy"),
        (hello(policy="../first"), "no_policy"),
        (hello(game="other/game"), "no_policy"),
        (hello(action=action_signature(spaces.Discrete(6))), "mismatch"),
        (Act(1, 0, np.zeros(5, np.float32)), "mismatch"),
        (Act(1, 0, np.zeros(4, np.float64)), "mismatch"),
        (Act(1, 0, OBSERVATION, np.ones(6, np.int8)), "mismatch"),
        (GetSnapshot(name="/etc/passwd"), "no_policy"),
        (Control(name="stop"), "refused"),
        (b"\x94\x01\xa3log\x01\x80", "unknown_kind"),
        (Welcome(seat=1, policy="me"), "unknown_kind"),
        (b"GET / HTTP/1.1", "malformed"),
        (b"", "malformed"),
    ],
)
def test_what_cannot_be_done_is_answered_with_an_error_and_play_goes_on(message, code, server, connect):
    client = connect(server)
    client.ask(hello())
    client.send(message)
    reply = client.receive()[1]
    assert isinstance(reply, Error)
    assert reply.code == code
    client.ask(hello())
    assert isinstance(client.ask(Act(1, 1, OBSERVATION)), ActionReply)


def test_an_array_of_impossible_sizes_is_refused_each_time_and_play_goes_on(server, connect, huge_empty_act):
    client = connect(server)
    client.ask(hello())
    for _ in range(3):
        assert client.ask(huge_empty_act, id=5).code == "malformed"
    assert isinstance(client.ask(Act(1, 3, OBSERVATION)), ActionReply)


def test_one_bad_request_does_not_spoil_the_batch(server, connect):
    good, bad = connect(server), connect(server)
    for client in (good, bad):
        client.ask(hello())
    bad.send(Act(1, 0, np.zeros((9, 9), np.float32)))
    good.send(Act(1, 0, OBSERVATION))
    assert isinstance(good.receive()[1], ActionReply)
    assert bad.receive()[1].code == "mismatch"


def test_a_client_with_req_framing_is_served_and_odd_frames_are_dropped(server, connect, until):
    assert isinstance(connect(server, kind=zmq.REQ).ask(hello()), Welcome)
    odd = connect(server)
    odd.socket.send_multipart([b"a", b"b", b"c"])
    until(lambda: server.counts.malformed == 1, lambda: server.serve_once(timeout=0.05))
    assert isinstance(connect(server).ask(hello()), Welcome)


def test_snapshots_are_listed_and_fetched_whole(server, store, connect):
    client = connect(server)
    cards = client.ask(ListSnapshots(game="test/game"))
    assert isinstance(cards, Snapshots)
    assert [json.loads(card)["name"] for card in cards.cards] == ["first"]
    reply = client.ask(GetSnapshot(name="latest", game="test/game"))
    assert isinstance(reply, SnapshotReply)
    assert reply.onnx == store.get("first").onnx


@pytest.mark.parametrize(
    "function",
    [lambda observation: 3, lambda observation, mask: 3, lambda observation, mask, rng: 3 + int(rng.integers(1))],
)
def test_a_function_plays(function, connect):
    policies = FunctionPolicies(function)
    with PolicyServer(policies, endpoint="tcp://127.0.0.1:*") as server:
        client = connect(server)
        client.ask(hello())
        assert client.ask(Act(1, 0, OBSERVATION)).action == 3


@pytest.mark.parametrize(
    "act",
    [
        Act(1, 0, np.full(4, np.nan, np.float32)),
        Act(1, 0, np.zeros(4, np.float64)),
        Act(1, 0, np.zeros((2, 2), np.float32)),
        Act(1, 0, 10**18),
        Act(1, 0, OBSERVATION, np.zeros(5, np.int8)),
        Act(1, 0, OBSERVATION, np.full(5, 2, np.int8)),
        Act(1, 0, OBSERVATION, np.full(5, -1, np.int8)),
        Act(1, 0, OBSERVATION, np.ones(5, np.int64)),
        Act(1, 0, OBSERVATION, np.ones(6, np.int8)),
    ],
)
@pytest.mark.parametrize("kind", ["snapshot", "function"])
def test_observations_and_masks_that_the_seat_cannot_have_reach_no_policy(store, connect, act, kind):
    seen = []
    function = FunctionPolicies(lambda observation, mask: seen.append(observation) or 0)
    with PolicyServer(store if kind == "snapshot" else function, endpoint="tcp://127.0.0.1:*") as server:
        client = connect(server)
        client.ask(hello())
        assert client.ask(act).code == "mismatch"
        assert not seen
        assert isinstance(client.ask(Act(1, 1, OBSERVATION, np.ones(5, np.bool_))), ActionReply)


def test_a_snapshot_comes_in_parts(server, store, connect, card, policy, monkeypatch):
    monkeypatch.setattr("agents.wire.server.PART_BYTES", 100)
    client, onnx = connect(server), b""
    while True:
        reply = client.ask(GetSnapshot(name="latest", offset=len(onnx)))
        assert reply.offset == len(onnx)
        assert len(reply.onnx) <= 100
        onnx += reply.onnx
        if len(onnx) == json.loads(reply.card)["size"]:
            break
    assert onnx == store.get("first").onnx
    assert client.ask(GetSnapshot(name="first", offset=10**6)).onnx == b""


def test_errors_to_clients_have_no_paths(server, store, connect):
    reply = connect(server).ask(hello(policy="nobody"))
    assert "there is first in snapshots" in reply.text
    assert str(store.root.parent) not in reply.text


def test_a_function_that_fails_is_an_error_to_its_seat_and_the_server_goes_on(connect):
    def moody(observation, mask):
        if observation[0] > 0:
            raise RuntimeError("not today")
        return 99 if observation[1] > 0 else 2

    policies = FunctionPolicies(moody)
    with PolicyServer(policies, endpoint="tcp://127.0.0.1:*") as server:
        client = connect(server)
        client.ask(hello())
        reply = client.ask(Act(1, 0, OBSERVATION + 1))
        assert (reply.code, reply.text) == ("failed", "moody failed: RuntimeError: not today")
        reply = client.ask(Act(1, 0, np.array([0, 1, 0, 0], np.float32)))
        assert "0 <= action < 5, got: 99" in reply.text
        assert client.ask(Act(1, 0, OBSERVATION)).action == 2
        assert server.counts.errors == 2


def test_an_endpoint_in_use_is_named(server, store):
    with pytest.raises(OSError, match=server.endpoint):
        PolicyServer(store, endpoint=server.endpoint)
