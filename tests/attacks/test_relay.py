"""Hostile machines at a relay, and a hostile relay: they take no room of others, and no memory or connections."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import contextmanager, suppress

from arcade.together.ways import relay as relays
from arcade.together.ways import tunnel
from arcade.together.ways.relay import MAX_GUESTS, MAX_ROOMS_OF_ADDRESS, Relay
from arcade.together.ways.tunnel import HostTunnel
from tests.support.processes import wait_for

ROOM = f"{7:032x}"
DEADLINE = 60.0


@contextmanager
def relay(**options):
    """A relay in a thread; yields its port."""
    made, ready, ports, stop = Relay(**options), threading.Event(), [], []

    async def serve():
        task = asyncio.create_task(made.serve("127.0.0.1", 0, lambda port: (ports.append(port), ready.set())))
        loop = asyncio.get_running_loop()
        stop.append(lambda: loop.call_soon_threadsafe(task.cancel))
        await asyncio.wait([task])

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(DEADLINE)
    yield ports[0]
    stop[0]()
    thread.join(DEADLINE)


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)


def ask(port, line):
    """Say a line; the connection, and what it hears first."""
    one = connect(port)
    one.sendall(line.encode() + b"\n")
    return one, one.recv(256)


def is_let_in(port, room):
    one, answer = ask(port, f"HOST {room:032x}")
    one.close()
    return answer == b"OK\n"


def test_one_address_has_a_share_of_the_rooms():
    with relay() as port:
        found = [ask(port, f"HOST {number:032x}") for number in range(MAX_ROOMS_OF_ADDRESS + 3)]
        assert [answer == b"OK\n" for _, answer in found] == [True] * MAX_ROOMS_OF_ADDRESS + [False] * 3
        found[0][0].close()  # its room is free again
        wait_for(lambda: is_let_in(port, 99), what="the room of the host that has gone")
        for one, _ in found:
            one.close()


def test_one_address_has_a_share_of_the_connections(monkeypatch):
    monkeypatch.setattr(relays, "MAX_OF_ADDRESS", 8)
    with relay(first_words=2 * DEADLINE) as port:  # they are not closed for what they do not say
        held = [connect(port) for _ in range(30)]
        for one in held[8:]:
            assert one.recv(1) == b""
        for one in held:
            one.close()
        wait_for(lambda: is_let_in(port, 1), what="the places of the connections that were closed")


def test_a_line_without_an_end_is_not_held():
    with relay(first_words=2 * DEADLINE) as port, connect(port) as one:
        one.sendall(b"HOST " + b"a" * 1000)
        with suppress(ConnectionError):  # a reset: not all of it was read
            assert one.recv(1) == b""


def test_the_hosts_connection_is_closed_where_the_guest_has_gone():
    room = f"{5:032x}"
    with relay() as port:
        host, answer = ask(port, f"HOST {room}")
        assert answer == b"OK\n"
        for _ in range(20):
            guest = connect(port)
            guest.sendall(f"JOIN {room}\n".encode())
            token = host.recv(256).split()[1].decode()
            guest.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset
            guest.close()
            taken = connect(port)
            taken.sendall(f"TAKE {token}\n".encode())
            assert taken.recv(1) == b""
            taken.close()
        joined = threading.Thread(target=lambda: ask(port, f"JOIN {room}"), daemon=True)
        joined.start()  # and the room has places again
        assert host.recv(256).startswith(b"GUEST ")
        host.close()


class OddRelay(threading.Thread):
    """Serves one connection after another with `answers`, a function each of the connection and its first line."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.server, self.lines, self._answer = socket.create_server(("127.0.0.1", 0)), [], answer
        self.port = self.server.getsockname()[1]
        self.more = threading.Condition()

    def run(self):
        while True:
            try:
                one, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(one,), daemon=True).start()

    def _serve(self, one):
        line = one.makefile().readline()
        with self.more:
            self.lines.append(line)
            number = len(self.lines)
            self.more.notify_all()
        self._answer(one, line, number)

    def wait_for(self, is_so):
        with self.more:
            assert self.more.wait_for(lambda: is_so(self.lines), DEADLINE)


def test_a_relay_that_invents_guests_gets_a_few_connections():
    sent = threading.Event()

    def answer(one, line, number):
        if line.startswith("HOST"):
            one.sendall(b"OK\n" + b"".join(b"GUEST %032x\n" % n for n in range(2000)))
            one.sendall(b"GUEST a b c\nnonsense\n")
            sent.set()

    made = OddRelay(answer)
    made.start()
    far = "127.0.0.1", made.port
    with socket.create_server(("127.0.0.1", 0)) as own, HostTunnel(far, ROOM, own.getsockname()[1]):
        assert sent.wait(DEADLINE)
        made.wait_for(lambda lines: len(lines) > MAX_GUESTS)
        with made.more:
            more = made.more.wait_for(lambda: len(made.lines) > MAX_GUESTS + 1, 1.0)
        assert not more
    made.server.close()


def test_a_host_waits_for_a_relay_that_still_has_its_old_connection(monkeypatch):
    monkeypatch.setattr(tunnel, "RETRY", 0.05)

    def answer(one, line, number):
        if number == 1:
            one.sendall(b"OK\n")
            one.close()  # lost
        else:
            one.sendall(b"NO room: it is taken, or the relay is full\n" if number < 4 else b"OK\n")

    made = OddRelay(answer)
    made.start()
    with HostTunnel(("127.0.0.1", made.port), ROOM, 9):
        made.wait_for(lambda lines: len(lines) >= 4)
    made.server.close()
