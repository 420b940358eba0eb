"""Machines behind routers play through a relay, which cannot read what they send."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack, contextmanager

import pytest

from arcade.together.terms import SessionError
from arcade.together.ways import relay as relays
from arcade.together.ways.codes import AddressError, SessionCode, parse_code, parse_relay
from arcade.together.ways.relay import Relay, room_of
from arcade.together.ways.tunnel import GuestTunnel, HostTunnel
from tests.support.online import check_alike, check_host_comes_back, check_host_replaced, host

SECRET, KEY = bytes(range(10)), bytes(32)
ROOM = room_of(SECRET, KEY)


def start_relay(arcades, port=0):
    one = arcades("relay", "--port", port, "--host", "127.0.0.1")
    return one, int(one.wait_for("relay on port").partition("port ")[2].partition(";")[0])


def test_a_match_waits_for_a_relay_that_is_killed_and_keeps_its_host(arcades):
    other_host = host(arcades, "volley", "--seat", "left_0=random", "--speed", 0.1)  # of a match without a relay
    other_guest = arcades("join", other_host.code, "--seat", "right_0=random")
    other_guest.wait_for("begins")
    relay, port = start_relay(arcades)
    one = relayed(arcades, port, "--seat", "left_0=random", "--max-ticks", 600)
    two = arcades("join", one.code, "--seat", "right_0=random")
    three = arcades("join", one.code, "--watch")
    assert parse_code(one.code).by_relay
    for each in (two, three):
        each.wait_for("begins")
    relay.kill()
    one.wait_for("absent")
    other_host.kill()
    other_guest.wait_for("this machine is the host now")  # the others had as long for that
    start_relay(arcades, port)
    outcomes = [each.end() for each in (one, two, three)]
    assert outcomes[0]["agreed"]
    assert outcomes[1]["result"]["ended"] == "max_ticks"
    assert not any("is the host now" in line for each in (one, two, three) for line in each.lines)
    check_alike(one, two, three)


def relayed(arcades, port, *words):
    return arcades("host", "volley", "--relay", f"127.0.0.1:{port}", *words)


def test_the_match_goes_on_with_another_host_through_the_relay(arcades):
    _, port = start_relay(arcades)
    following = check_host_replaced(arcades, relayed(arcades, port, "--max-ticks", 900, "--no-record"))
    assert parse_code(following.code).by_relay


def test_a_host_met_through_a_relay_that_is_killed_comes_back_through_it(arcades):
    _, port = start_relay(arcades)
    one = relayed(arcades, port, "--seat", "left_0=scripted", "--max-ticks", 900, "--name", "Ada")
    check_host_comes_back(arcades, one, home="1")


@pytest.fixture
def served(monkeypatch):
    """Runs a function of a port while a relay serves there; returns all that the relay passed on."""

    def serve(use):
        heard = []
        pipe = relays._pipe

        async def listen_in(reader, writer, idle, most):
            class Ear:
                async def read(self, size):
                    data = await reader.read(size)
                    heard.append(data)
                    return data

            await pipe(Ear(), writer, idle, most)

        monkeypatch.setattr(relays, "_pipe", listen_in)

        async def run():
            ready = asyncio.get_running_loop().create_future()
            task = asyncio.create_task(Relay(first_words=2.0).serve("127.0.0.1", 0, ready.set_result))
            port = await ready
            await asyncio.to_thread(use, port)
            task.cancel()

        asyncio.run(run())
        return b"".join(heard)

    return serve


@contextmanager
def tunnelled(port):
    """Both ends of a connection through the relay, which has carried something."""
    far = "127.0.0.1", port
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        HostTunnel(far, ROOM, server.getsockname()[1]) as host,
        GuestTunnel(far, SECRET) as guest,
    ):
        host.wait()
        near = socket.create_connection(("127.0.0.1", guest.port_to(KEY)), timeout=60)
        end, _ = server.accept()
        near.sendall(b"to the host")
        assert end.recv(64) == b"to the host"
        yield near, end


def test_bytes_pass_both_ways_and_end_with_either_end(served):
    def use(port):
        with tunnelled(port) as (near, end):
            end.sendall(b"to the guest")
            assert near.recv(64) == b"to the guest"
            end.close()
            near.settimeout(60)
            assert near.recv(64) == b""
            near.close()

    served(use)


def test_a_tunnel_that_is_closed_with_a_connection_in_it_reports_no_error(served, caplog):
    def use(port):
        with tunnelled(port) as (near, end):
            pass
        near.close()
        end.close()

    served(use)
    assert not caplog.records


def test_a_relay_that_ends_with_connections_open_reports_no_error(served, caplog):
    def use(port):
        one = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
        one.sendall(f"HOST {ROOM}\n".encode())
        assert one.recv(64) == b"OK\n"

    with ExitStack() as stack:
        served(use)
    assert not caplog.records


def test_what_a_match_sends_cannot_be_read_by_the_relay(served, arcades):
    def use(port):
        words = ("--relay", f"127.0.0.1:{port}", "--seat", "left_0=random", "--max-ticks", 60, "--name", "Adalbertina")
        one = arcades("host", "volley", *words)
        two = arcades("join", one.code, "--seat", "right_0=random")
        assert one.end()["agreed"]
        two.end()

    heard = served(use)
    assert b"CURVE" in heard  # ZeroMQ's greeting
    for word in (b"volley", b"Adalbertina", b"right_0", b"random"):
        assert word not in heard


def test_odd_connections_are_closed_and_harm_no_others(served):
    def use(port):
        for words in (
            b"\x00\xff" * 400 + b"\n",
            b"HOST x\n",
            b"JOIN " + 32 * b"0" + b"\n",
            b"TAKE me\n",
            b"GET /\n",
            b"HOST",
        ):
            with socket.create_connection(("127.0.0.1", port), timeout=60) as one:
                one.sendall(words)
                assert one.recv(4096) in (b"", b"NO match: there is none of this code here, or it is full\n")
        with HostTunnel(("127.0.0.1", port), ROOM, 9) as one:
            one.wait()
            with pytest.raises(SessionError, match="taken"):
                HostTunnel(("127.0.0.1", port), ROOM, 9).wait()

    served(use)


def test_a_relay_that_is_not_there_is_said():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(SessionError, match=f"no relay answers at 127.0.0.1:{port}"):
        GuestTunnel(("127.0.0.1", port), SECRET).wait()


def test_codes_of_relays():
    code = SessionCode("relay.example", 5900, bytes(32), SECRET, by_relay=True)
    assert parse_code(code.text) == code
    assert SECRET.hex() not in room_of(SECRET, bytes(32))
    assert parse_relay("relay.example:5900") == ("relay.example", 5900)
    for wrong in ("relay.example", ":5", "x:0", "x:99999"):
        with pytest.raises(AddressError):
            parse_relay(wrong)
