"""What a policy server takes of one peer, and that the others are answered all the same."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from agents.spaces import observation_signature
from agents.wire.limits import IDLE_SECONDS, MAX_DRAIN_OVER
from agents.wire.messages import Act, ActionReply, Bye, ListSnapshots, Welcome
from agents.wire.peers import Peers
from agents.wire.server import PolicyServer
from tests.support.policy_clients import OBSERVATION, hello


def test_a_request_larger_than_its_peers_seats_need_is_refused_unread(server, connect):
    client = connect(server)
    client.ask(hello())
    assert client.ask(Act(1, 0, np.zeros(100_000, np.float32)), id=5).code == "too_large"
    huge = hello(2, observation=observation_signature(spaces.Box(-1, 1, (5000, 5000), np.float32)))
    assert client.ask(huge).code == "too_large"


def test_a_clients_seats_are_bounded_and_leave_those_of_others(server, connect, monkeypatch):
    monkeypatch.setattr("agents.wire.served_seats.MAX_SEATS_A_PEER", 3)
    greedy, other = connect(server), connect(server)
    assert isinstance(other.ask(hello(1)), Welcome)
    replies = [greedy.ask(hello(number)) for number in range(6)]
    assert [getattr(reply, "code", "") for reply in replies] == ["", "", "", "refused", "refused", "refused"]
    greedy.send(Bye(seat=0))
    assert isinstance(greedy.ask(hello(9)), Welcome)
    assert isinstance(other.ask(Act(1, 0, OBSERVATION)), ActionReply)


def test_a_full_server_forgets_idle_seats_and_no_others(store, connect, monkeypatch):
    monkeypatch.setattr("agents.wire.served_seats.MAX_SEATS", 2)
    now = [100.0]
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*", clock=lambda: now[0]) as server:
        client = connect(server)
        assert isinstance(client.ask(hello(1)), Welcome)
        assert isinstance(client.ask(hello(2)), Welcome)
        assert client.ask(hello(3)).code == "busy"
        now[0] += IDLE_SECONDS - 1
        client.ask(Act(2, 0, OBSERVATION))
        now[0] += 2
        assert isinstance(client.ask(hello(3)), Welcome)
        assert client.ask(Act(1, 0, OBSERVATION)).code == "unknown_seat"
        assert isinstance(client.ask(Act(2, 1, OBSERVATION)), ActionReply)


def test_a_peer_beyond_its_limits_has_its_acts_answered_and_other_requests_refused(store, connect):
    now = [100.0]
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*", clock=lambda: now[0]) as server:
        server.peers = Peers(rate=10, burst=20)
        client, other = connect(server), connect(server)
        client.ask(hello())
        for tick in range(30):
            assert isinstance(client.ask(Act(1, tick, OBSERVATION)), ActionReply)
        assert client.ask(ListSnapshots()).code == "busy"
        assert client.ask(hello(2)).code == "busy"
        assert isinstance(other.ask(hello()), Welcome)
        now[0] += 2
        assert isinstance(client.ask(hello(2)), Welcome)


def test_replies_wait_for_a_slow_reader_and_those_beyond_the_limit_are_dropped(store, connect, monkeypatch, until):
    monkeypatch.setattr("agents.wire.outbox.MAX_UNREAD", 5)
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        client = connect(server)
        client.ask(hello())
        is_full, attempt = [True], server.outbox._try
        server.outbox._try = lambda sender, frame: not is_full[0] and attempt(sender, frame)
        for tick in range(8):
            client.send(Act(1, tick, OBSERVATION), id=tick)
            until(lambda: server.serve_once(timeout=0.02), lambda: None)
        assert (len(server.outbox), server.outbox.dropped) == (1, 3)
        is_full[0] = False
        assert [client.receive()[0] for _ in range(5)] == [0, 1, 2, 3, 4]
        assert len(server.outbox) == 0


def test_a_peer_beyond_its_limits_has_few_messages_taken_before_others_are_answered(store, connect, until):
    """However much waits of its own; so another's answer takes no longer than those few and its own."""
    now = [100.0]
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*", clock=lambda: now[0]) as server:
        server.peers = Peers(rate=1, burst=20)
        flood, other = connect(server), connect(server)
        assert isinstance(other.ask(hello()), Welcome)
        for tick in range(250):
            flood.send(Act(1, tick, OBSERVATION), id=tick)
        until(lambda: server.counts.errors > 20, lambda: server.serve_once(timeout=0.02))
        other.send(Act(1, 7, OBSERVATION))
        taken = []
        until(lambda: other.socket.poll(0), lambda: taken.append(server.serve_once(timeout=0.02)))
        assert max(taken) <= MAX_DRAIN_OVER + 1
        assert isinstance(other.receive()[1], ActionReply)
