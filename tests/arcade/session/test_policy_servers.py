"""Remote players: offered where a server answers, and where the player added one."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import zmq

from agents.wire.probe import is_served
from arcade.session.match.policy_servers import PolicyServers
from arcade.session.worker import Worker

DEADLINE = 60.0


@pytest.fixture
def served() -> Iterator[str]:
    """The address of a ZeroMQ socket."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        port = router.bind_to_random_port("tcp://127.0.0.1")
        yield f"tcp://127.0.0.1:{port}"


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


def looked(servers: PolicyServers, worker: Worker) -> list[str]:
    """What was announced by one look."""
    told: list[str] = []
    servers.look(lambda: told.append("changed"))
    deadline = time.monotonic() + DEADLINE
    while worker.busy:
        assert time.monotonic() < deadline, "expected the look to end"
        worker.poll()
    return told


def test_the_usual_address_is_offered_only_while_a_server_answers(served, worker) -> None:
    nowhere = PolicyServers(["tcp://127.0.0.1:1"], worker)
    assert looked(nowhere, worker) == []
    assert nowhere.addresses == ()
    servers = PolicyServers([served], worker)
    assert servers.addresses == (), "nothing is offered before anybody looked"
    assert looked(servers, worker) == ["changed"]
    assert servers.addresses == (served,)


def test_an_address_that_the_player_added_stays_and_comes_first(served, worker) -> None:
    servers = PolicyServers([served], worker)
    servers.add("tcp://elsewhere:1")
    looked(servers, worker)
    assert servers.addresses == ("tcp://elsewhere:1", served)


def test_servers_of_other_programs_are_no_remote_players() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def greet() -> None:
            connection, _ = other.accept()
            with connection:
                connection.sendall(b"SSH-2.0-OpenSSH_9.6\r\n")

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        assert not is_served(f"tcp://127.0.0.1:{other.getsockname()[1]}")
        thread.join(DEADLINE)


@pytest.mark.parametrize("address", ["ipc:///nowhere", "nonsense", "tcp://127.0.0.1:nonsense"])
def test_no_other_address_is_probed(address) -> None:
    assert not is_served(address)
