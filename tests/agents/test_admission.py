"""Who gets in: real sockets, with the keys of two people."""

from __future__ import annotations

import re
import socket
from contextlib import ExitStack, closing, contextmanager, suppress

import numpy as np
import pytest

from agents.seats.controller import ControllerError, Turn
from agents.wire.client import RemoteController
from agents.wire.control import ControlClient, ControlError, ControlServer, EventPublisher, EventSubscriber
from agents.wire.keys import Keys
from agents.wire.messages import Control, encode
from agents.wire.peers import Peers
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer
from tests.support.attacks import OBSERVATION, SEAT, wait_until
from tests.support.proxy import Proxy


class Person:
    """Somebody with an ARCADE_HOME of their own."""

    def __init__(self, home, monkeypatch):
        self._home, self._monkeypatch = home, monkeypatch

    @property
    def keys(self):
        return Keys(self._home / "keys")

    @property
    def key(self):
        return self.keys.own().public

    @contextmanager
    def at_home(self):
        with self._monkeypatch.context() as patch:
            patch.setenv("ARCADE_HOME", str(self._home))
            yield

    def open(self, make, *args, **more):
        """A socket with this person's keys."""
        with self.at_home():
            return make(*args, **more)


@pytest.fixture
def host(tmp_path, monkeypatch):
    return Person(tmp_path / "host", monkeypatch)


@pytest.fixture
def guest(tmp_path, monkeypatch):
    return Person(tmp_path / "guest", monkeypatch)


@pytest.fixture
def opened():
    """Closes what is entered."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def obeyed():
    return []


@pytest.fixture(params=["tcp", "ipc"])
def endpoint(request, tmp_path):
    return "tcp://127.0.0.1:*" if request.param == "tcp" else f"ipc://{tmp_path}/socket"


@pytest.fixture
def server(host, opened, obeyed, endpoint):
    """A control server of the host."""
    return opened.enter_context(host.open(ControlServer, {"stop": obeyed.append}, endpoint=endpoint))


@pytest.fixture
def visit(opened):
    """A person's client at an address."""
    return lambda person, address: opened.enter_context(person.open(ControlClient, str(address)))


@pytest.fixture
def insecure(host, opened, obeyed):
    return opened.enter_context(host.open(ControlServer, {"stop": obeyed.append}, insecure=True))


def ask(client, server, until):
    """Ask for a stop until there is an answer; returns it."""
    id, replies = client.request("stop"), []
    until(lambda: replies, lambda: (server.poll(0.02), replies.extend(client.poll(0.02))))
    assert replies[0].id == id
    return replies[0]


def refusal(client, server, until):
    """Why a request is not even heard."""
    with suppress(ControlError):  # the server may have refused the connection already
        client.request("stop")
    until(lambda: client.refusal, lambda: server.poll(0.02))
    return client.refusal


def test_a_peer_with_an_allowed_key_is_obeyed(host, guest, server, visit, obeyed, until):
    host.keys.allow(guest.key, name="guest")
    client = visit(guest, server.address)
    assert ask(client, server, until).error == ""
    assert len(obeyed) == 1
    assert client.refusal == ""


def test_ones_own_key_needs_no_permission_and_no_address(host, server, visit, obeyed, until):
    assert ask(visit(host, server.endpoint), server, until).error == ""
    assert len(obeyed) == 1


def test_a_peer_with_an_unknown_key_reads_how_it_is_let_in(host, guest, server, visit, obeyed, until):
    client = visit(guest, server.address)
    remedy = f"arcade keys allow {guest.key.hex()} --name NAME"
    refused = f"no access to {server.endpoint}: it does not know our key; there: {remedy}"
    assert refusal(client, server, until) == refused
    assert not obeyed
    with pytest.raises(ControlError, match="does not know our key"):
        client.call("stop")
    host.keys.allow(guest.key, name="guest")
    until(lambda: not client.refusal, lambda: server.poll(0.02))  # it dials again by itself
    assert ask(client, server, until).error == ""


def test_a_revoked_key_loses_access_at_the_next_connection(host, guest, server, visit, obeyed, until):
    host.keys.allow(guest.key, name="guest")
    ask(visit(guest, server.address), server, until)
    host.keys.revoke("guest")
    assert "does not know our key" in refusal(visit(guest, server.address), server, until)
    assert len(obeyed) == 1


def test_an_address_with_a_wrong_key_is_named(host, guest, server, visit, obeyed, until):
    host.keys.allow(guest.key, name="guest")
    wrong = type(server.address)(server.endpoint, b"\x07" * 32)
    assert "has another key or none; its key is shown there by: arcade keys show" in refusal(
        visit(guest, wrong), server, until
    )
    assert "write KEY@ before the host" in refusal(visit(guest, server.endpoint), server, until)
    assert not obeyed


def test_a_peer_without_keys_gets_nothing(guest, server, visit, obeyed, until):
    client = visit(guest, server.address.endpoint.replace("://", "://insecure@"))
    assert "asks for keys; write KEY@ in place of insecure@" in refusal(client, server, until)
    assert not obeyed


def test_a_server_that_ends_amid_a_handshake_refuses_nobody(host, server, visit, obeyed, until):
    if not server.endpoint.startswith("tcp"):
        pytest.skip("only over TCP may something stand in between")
    port = int(server.endpoint.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        client = visit(host, f"tcp://127.0.0.1:{listener.getsockname()[1]}")
        listener.accept()[0].close()  # the one before, as it ended
        with Proxy(port, listener=listener):
            until(lambda: obeyed or client.refusal, lambda: (order(client), server.poll(0.02)))
    assert client.refusal == ""


def order(client):
    """Ask for a stop, where there is a connection."""
    with suppress(ControlError):
        client.request("stop")


def test_a_server_without_keys_is_entered_only_by_those_who_say_so(guest, insecure, visit, obeyed, until):
    assert str(insecure.address) == insecure.endpoint.replace("://", "://insecure@")
    assert re.search("has no keys|or none", refusal(visit(guest, insecure.endpoint), insecure, until))
    assert not obeyed
    assert ask(visit(guest, insecure.address), insecure, until).error == ""


def test_only_allowed_keys_hear_events(host, guest, endpoint, opened, until):
    publisher = opened.enter_context(host.open(EventPublisher, endpoint))
    address = str(publisher.address)
    own, other = (opened.enter_context(one.open(EventSubscriber, address)) for one in (host, guest))
    heard = []
    until(lambda: heard, lambda: (publisher.publish("metrics"), heard.extend(own.poll(0.02))))
    until(lambda: other.refusal, lambda: None)
    publisher.publish("metrics")
    assert other.poll(0.2) == []
    host.keys.allow(guest.key, name="guest")
    until(lambda: other.poll(0.02), lambda: publisher.publish("metrics"))


def play_a_turn(remote, server, seat, until):
    """The seat's action, or the reason why it is given up."""
    remote.reset(seat, seed=1)
    remote.observe(Turn("one", 0, np.zeros(4, np.float32)))
    actions = []
    until(lambda: actions, lambda: (server.serve_once(timeout=0.01), actions.extend(found(remote))))
    return actions[0]


def found(remote):
    try:
        action = remote.act()
    except ControllerError as error:
        return [str(error)]
    return [] if action is None else [action]


def test_a_seat_is_given_up_with_the_reason_and_played_once_its_key_is_allowed(host, guest, opened, store, seat, until):
    server = opened.enter_context(host.open(PolicyServer, store, endpoint="tcp://127.0.0.1:*"))
    remote = guest.open(RemoteController, str(server.address), "first")
    opened.callback(remote.close)
    assert (remote.label, remote.endpoint) == ("first", server.endpoint)
    with guest.at_home():
        assert "no access: it does not know our key; there: arcade keys" in play_a_turn(remote, server, seat, until)
        assert server.counts.answered == server.counts.errors == 0
        host.keys.allow(guest.key, name="guest")
        assert play_a_turn(remote, server, seat, until) == 2


def as_old_zeromq(payload):
    """A web page's POST that a ZeroMQ of before 2012 would have sent too: an identity of 80 bytes, then a message."""
    head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\nX: " % (len(payload) + 2)
    head += b"x" * (1 + ord("P") - len(head) - 4) + b"\r\n\r\n"
    assert len(head) == 1 + ord("P")
    return head + bytes([len(payload) + 1, 0]) + payload


def is_closed(connection):
    try:
        return not connection.recv(4096)
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


POSTS = {
    "plain": lambda order: b"POST /stop HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(order) + order,
    "as an old ZeroMQ": as_old_zeromq,
}


@pytest.mark.parametrize("post", POSTS)
@pytest.mark.parametrize("insecure", [False, True])
def test_a_web_pages_post_is_not_obeyed(host, opened, visit, obeyed, until, post, insecure):
    server = opened.enter_context(host.open(ControlServer, {"stop": obeyed.append}, insecure=insecure))
    with socket.create_connection(("127.0.0.1", int(server.endpoint.rpartition(":")[2]))) as page:
        page.sendall(POSTS[post](encode(Control(name="stop"), id=1)))
        page.setblocking(False)
        until(lambda: obeyed or is_closed(page), lambda: server.poll(0.02))
    assert not obeyed
    assert ask(visit(host, server.address), server, until).error == ""
    assert len(obeyed) == 1


def test_all_connections_of_one_key_have_one_peers_share_and_our_own_have_one_each(host, guest, monkeypatch):
    host.keys.allow(guest.key, name="guest")
    now = [100.0]
    with host.open(PolicyServer, FunctionPolicies(lambda seen: 2), endpoint="tcp://127.0.0.1:*") as server:
        server._clock = lambda: now[0]  # no allowance comes back
        server.peers = Peers(rate=1, burst=25)  # a hello counts as 11 messages

        def greet(person, address):
            with closing(person.open(RemoteController, address)) as seat:
                seat.reset(SEAT, seed=1)
                while not seat.counts.hellos:  # a turn greets again once there is a connection
                    seat.observe(Turn("one", 0, OBSERVATION))
                    server.serve_once(timeout=0.02)
                wait_until(lambda: seat._welcomed or seat.last_error, lambda: (server.serve_once(), seat._listen()))
                return seat.last_error

        assert ["busy" in greet(guest, str(server.address)) for _ in range(4)] == [False, False, True, True]
        assert ["busy" in greet(host, server.endpoint) for _ in range(4)] == [False] * 4
