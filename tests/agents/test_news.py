"""Events and control requests, between processes that must not wait for each other."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from agents.wire.control import ControlClient, ControlError, ControlServer, EventPublisher, EventSubscriber
from agents.wire.messages import Control, Event, encode
from tests.support.peers import open_peer


def hear(publisher, subscriber, until, name="metrics", data=None):
    """Publish until the subscription has reached the publisher."""
    events = []
    until(lambda: events, lambda: (publisher.publish(name, data), events.extend(subscriber.poll(0.02))))
    return events


def test_events_reach_every_listener_and_only_what_was_asked_for(until):
    with (
        EventPublisher() as publisher,
        EventSubscriber(publisher.endpoint) as all_of_it,
        EventSubscriber(publisher.endpoint, names=["snapshot_frozen"]) as frozen,
    ):
        data = {"name": "volley-1", "game": "house/volley", "step": 10, "shares": np.ones(3)}
        assert hear(publisher, frozen, until, "snapshot_frozen", data)[0].data["name"] == "volley-1"
        hear(publisher, all_of_it, until, "snapshot_frozen", data)
        publisher.publish("metrics", {"loss": 0.5})
        publisher.publish("snapshot_frozen", data)
        seen = []
        until(lambda: Event(name="metrics", data={"loss": 0.5}) in seen, lambda: seen.extend(all_of_it.poll(0.05)))
        heard = []
        until(lambda: heard, lambda: heard.extend(frozen.poll(0.05)))
        assert {event.name for event in heard} == {"snapshot_frozen"}


def test_what_is_no_event_is_dropped_and_counted(until):
    with EventPublisher() as publisher, EventSubscriber(publisher.endpoint) as subscriber:
        hear(publisher, subscriber, until)
        for frames in (
            [b"x"],
            [b"metrics", b"\xff"],
            [b"a", encode(Event(name="b"))],
            [b"c", encode(Control(name="c"))],
        ):
            publisher._socket.send_multipart(frames)
        until(lambda: subscriber.dropped == 4, lambda: subscriber.poll(0.05))
        assert hear(publisher, subscriber, until)


def test_polling_without_news_gives_nothing():
    with EventSubscriber("tcp://127.0.0.1:1") as subscriber:
        assert subscriber.poll() == []


@pytest.fixture
def pair():
    handlers = {
        "pause": lambda params: {"state": "paused", **params},
        "freeze": lambda params: 1 // 0,
        "stop": lambda _: None,
    }
    with ControlServer(handlers) as server, ControlClient(server.endpoint) as client:
        yield server, client


def ask(pair, until, name, params=None):
    server, client = pair
    id, replies = client.request(name, params), []
    until(lambda: replies, lambda: (server.poll(0.02), replies.extend(client.poll(0.02))))
    assert replies[0].id == id
    return replies[0]


def test_requests_are_answered_when_the_server_polls(pair, until):
    assert ask(pair, until, "pause", {"by": "me"}).result == {"state": "paused", "by": "me"}
    assert ask(pair, until, "stop").result == {}
    assert "ZeroDivisionError" in ask(pair, until, "freeze").error
    assert ask(pair, until, "dance").error == "refused: expected one of pause, freeze, stop, got: 'dance'"


def test_nonsense_is_answered_and_the_server_goes_on(pair, until):
    server, _ = pair
    socket = open_peer(server.endpoint)
    socket.send(b"\xc1nonsense")
    until(lambda: server.malformed == 1, lambda: server.poll(0.05))
    socket.close(linger=0)
    assert ask(pair, until, "stop").error == ""


@pytest.mark.parametrize("before", [[b"odd"], [b"", b""]])
def test_a_request_behind_other_frames_is_not_obeyed(before, until):
    obeyed = []
    with ControlServer({"stop": obeyed.append}) as server, closing(open_peer(server.endpoint)) as peer:
        peer.send_multipart([*before, encode(Control(name="stop"))])
        until(lambda: server.malformed == 1, lambda: server.poll(0.05))
        assert not obeyed
        peer.send_multipart([b"", encode(Control(name="stop"), id=3)])
        until(lambda: obeyed, lambda: server.poll(0.05))
        assert peer.recv_multipart()[0] == b""


def test_requests_beyond_a_clients_limit_are_refused_and_another_client_is_obeyed(monkeypatch, until):
    monkeypatch.setattr("agents.wire.control.CONTROL_A_SECOND", 20)
    obeyed = []
    with (
        ControlServer({"pause": lambda _: None, "stop": obeyed.append}) as server,
        ControlClient(server.endpoint) as flood,
        ControlClient(server.endpoint) as other,
    ):
        ids = {flood.request("pause") for _ in range(200)}
        other.request("stop")
        replies = []
        until(lambda: len(replies) == 200, lambda: (server.poll(0.02), replies.extend(flood.poll(0.02))))
        assert {reply.id for reply in replies} == ids, "each has an answer"
        assert sum(reply.error.startswith("busy") for reply in replies) == server.busy > 0
        assert len(obeyed) == 1


def test_a_handlers_error_names_no_path(until):
    def freeze(_):
        raise OSError(28, "No space left on device", "/home/ann/runs/x/checkpoint")

    with ControlServer({"freeze": freeze}) as server, ControlClient(server.endpoint) as client:
        client.request("freeze")
        replies = []
        until(lambda: replies, lambda: (server.poll(0.02), replies.extend(client.poll(0.02))))
    assert "No space left" in replies[0].error
    assert "/home" not in replies[0].error


def test_a_call_to_nobody_ends_in_time():
    with ControlClient("tcp://127.0.0.1:1") as client, pytest.raises(ControlError, match="'pause' within"):
        client.call("pause", timeout=0.05)
