"""Peers that send far too much, too little or for ever; the seat of another player goes on all the while."""

from __future__ import annotations

import os
import random
import resource
import socket
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
import zmq

from agents.seats.controller import ControllerError, Turn
from agents.wire.addresses import parse_address
from agents.wire.client import RemoteController
from agents.wire.limits import MAX_REPLIES_READ, MAX_SEATS_A_PEER
from agents.wire.messages import Act, ActionReply, Bye, Control, Error, Hello, Welcome, decode, encode
from tests.support.attacks import OBSERVATION, SEAT, frame, greeting, turn, wait_until

FLOOD = """
import sys, zmq
endpoint, kind = sys.argv[1:]
from tests.support.attacks import greeting, turn
from agents.wire.messages import ListSnapshots, encode
frames = {"acts": encode(turn()), "hellos": encode(greeting()), "junk": b"x" * 1000, "lists": encode(ListSnapshots()),
          "large": bytes(10**6)}
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(endpoint)
socket.send(frames["hellos"])
print("begun", flush=True)
while True:
    socket.send(frames[kind])
    while socket.poll(0):
        socket.recv()
"""


@pytest.fixture
def flood():
    """Processes that send messages of a kind as fast as they can."""
    running = []

    def start(endpoint, kind):
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        command = [sys.executable, "-c", FLOOD, endpoint, kind]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment))
        assert running[-1].stdout.readline().strip() == "begun"

    yield start
    for process in running:
        process.kill()
        process.wait(60)
        process.stdout.close()


SERVER = """
import agents
agents.serve(lambda observation, mask, rng: 0, endpoint="tcp://127.0.0.1:*", insecure=True,
             ready=lambda endpoint: print(endpoint, flush=True))
"""


def test_connections_that_say_nothing_keep_nobody_out(peer):
    """There are more of them than a process may have here by default, as it is on many systems."""
    command = ["sh", "-c", 'ulimit -S -n 128; exec "$0" -c "$1"', sys.executable, SERVER]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    with ExitStack() as closing:
        closing.enter_context(server)
        closing.callback(server.kill)
        endpoint = parse_address(server.stdout.readline().strip()).endpoint
        host, _colon, port = endpoint.removeprefix("tcp://").rpartition(":")
        for _ in range(200):
            closing.enter_context(socket.create_connection((host, int(port)), 30))
        assert isinstance(peer(endpoint).ask(greeting()), Welcome)
        most, _hard = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        assert most > 200, "else the peer had to wait until the others were cut off"


@pytest.mark.parametrize("kind", ["acts", "hellos", "junk", "lists", "large"])
def test_a_flood_leaves_another_seat_answered(served, flood, kind):
    flood(served.endpoint, kind)
    served.play(40)


def test_each_of_3000_acts_at_once_is_answered_or_refused(served, peer):
    hostile = peer(served.endpoint)
    for seat in (1, 2, 3):
        assert isinstance(hostile.ask(greeting(seat)), Welcome)
    for number in range(3000):
        hostile.send(turn(seat=1 + number % 3, tick=number), id=number)
    replies = dict(hostile.receive() for _ in range(3000))
    assert set(replies) == set(range(3000))
    assert all(isinstance(reply, ActionReply) or reply.code == "superseded" for reply in replies.values())
    assert all(reply.tick == id for id, reply in replies.items() if isinstance(reply, ActionReply))
    assert {2997, 2998, 2999} <= {id for id, reply in replies.items() if isinstance(reply, ActionReply)}
    assert not hostile.socket.poll(50), "one reply each"
    served.play()


def test_a_reader_that_reads_nothing_loses_its_own_replies_alone(served, peer):
    slow = peer(served.endpoint)
    slow.socket.setsockopt(zmq.RCVHWM, 1)
    slow.ask(greeting())
    slow.socket.sndtimeo = 100
    try:
        for number in range(60_000):
            slow.send(frame("act", {"seat": 7, "tick": number, "observation": 0}))
    except zmq.Again:
        pass
    served.play()


def test_ten_thousand_seats_of_one_peer_are_taken_up_to_its_limit_and_each_has_an_answer(served, peer):
    greedy = peer(served.endpoint)
    found = Counter()
    for start in range(0, 10_000, 500):
        for number in range(start, start + 500):
            greedy.send(greeting(number), id=number)
        found.update(type(greedy.receive()[1]).__name__ for _ in range(500))
    assert found["Welcome"] + found["Error"] == 10_000
    assert 0 < found["Welcome"] <= MAX_SEATS_A_PEER
    assert len(served.server.seats) <= MAX_SEATS_A_PEER + 1
    served.play()


@pytest.mark.parametrize("frames", [2, 3, 1000, 100_000])
def test_messages_of_many_frames_are_dropped(served, controlled, peer, frames):
    good = [b"", encode(Control(name="stop"))]
    for endpoint in (served.endpoint, controlled.endpoint):
        hostile = peer(endpoint)
        hostile.socket.send_multipart([b"x"] * (frames - 2) + good if frames > 2 else [b"x", good[1]])
    wait_until(lambda: served.server.counts.malformed, served.play)
    wait_until(lambda: controlled.server.malformed, controlled.obeys)
    assert "stop" not in controlled.obeyed


def test_a_message_of_frames_without_an_end_keeps_nobody_waiting(served, controlled, peer):
    for endpoint in (served.endpoint, controlled.endpoint):
        hostile = peer(endpoint)
        for _ in range(20_000):
            hostile.socket.send(b"x" * 100, zmq.SNDMORE)
    served.play()
    controlled.obeys()


def test_frames_that_are_replayed_and_reordered_are_answered_each_in_its_own_right(served, peer):
    hostile, order = peer(served.endpoint), random.Random(7)
    captured = [encode(greeting(seat), id=seat) for seat in (1, 2)]
    captured += [encode(turn(seat, tick), id=100 * seat + tick) for seat in (1, 2) for tick in range(10)]
    captured += [encode(Bye(seat=2), id=0)]
    frames = captured * 20
    order.shuffle(frames)
    for one in frames:
        hostile.send(one)
    answered = len(frames) - 20  # each but the byes
    for _ in range(answered):
        id, reply = hostile.receive()
        if isinstance(reply, ActionReply):
            assert reply.tick == id % 100
        else:
            assert isinstance(reply, Welcome) or reply.code in ("superseded", "unknown_seat")
    served.play()


class Hostile:
    """A policy server in the hand of an attacker: it greets seats, and answers acts with what `replies` makes."""

    def __init__(self, replies):
        self.socket = zmq.Context.instance().socket(zmq.ROUTER)
        self.socket.linger = 0
        self.endpoint = f"tcp://insecure@127.0.0.1:{self.socket.bind_to_random_port('tcp://127.0.0.1')}"
        self._replies = replies

    def serve(self):
        while self.socket.poll(5):
            client, data = self.socket.recv_multipart()
            id, message = decode(data)
            if isinstance(message, Hello):
                self._send(client, encode(Welcome(seat=message.seat, policy="x"), id=id))
            elif isinstance(message, Act):
                for reply in self._replies(id, message):
                    self._send(client, reply)

    def _send(self, client, data):
        self.socket.send_multipart([client, data], zmq.NOBLOCK)


@pytest.fixture
def duel():
    """A remote seat at a hostile server: turns are played, each with one look at the socket a tick."""
    opened = []

    def play(replies, *, turns=200):
        server, now = Hostile(replies), [0.0]
        remote = RemoteController(server.endpoint, clock=lambda: now[0])
        opened.extend((remote, server.socket))
        remote.reset(SEAT, seed=1)
        played = []
        for tick in range(turns):
            remote.observe(Turn("one", tick, OBSERVATION))
            for _ in range(3):
                now[0] += 1 / 60
                server.serve()
                try:
                    action = remote.act()
                except ControllerError as error:
                    return played, str(error)
            played.append((tick, action, remote.stale()))
        return played, ""

    yield play
    for one in opened:
        one.close()


def action(id, tick, number):
    return frame("action", {"tick": tick, "action": number, "policy": "x"}, id=id)


def test_replies_that_are_replayed_and_reordered_are_never_taken_for_another_turn(duel):
    old = []

    def replies(id, act):
        old.append(action(id, act.tick, act.tick % 5))
        return [*old[-6:-1], old[-1], *old[-4:]]

    played, given_up = duel(replies)
    assert "one answer to each request" in given_up
    assert any(number is not None for _, number, _ in played)
    assert all(number in (None, tick % 5) for tick, number, _ in played)


def test_a_reply_under_a_newer_turns_id_with_an_older_tick_is_refused(duel):
    played, given_up = duel(lambda id, act: [action(id, act.tick + 1, 1)])
    assert "expected an action for tick" in given_up
    assert all(number is None for _, number, _ in played)


@pytest.mark.parametrize("size", [10, 10_000, 900_000])
def test_a_flood_of_replies_takes_a_bounded_part_of_each_tick(duel, monkeypatch, size):
    taken = []
    take = RemoteController._take
    monkeypatch.setattr(RemoteController, "_take", lambda self, data: (taken.append(len(data)), take(self, data)))
    monkeypatch.setattr("agents.wire.patience.MAX_WRONG", 10**9)
    monkeypatch.setattr("agents.wire.patience.MAX_UNASKED", 10**9)
    most = []
    listen = RemoteController._listen

    def counted(self):
        before = len(taken)
        listen(self)
        most.append((len(taken) - before, sum(taken[before:])))

    monkeypatch.setattr(RemoteController, "_listen", counted)
    junk = frame("action", {"tick": 0, "action": bytes(size)}, id=10**9)
    duel(lambda id, act: [junk] * (200 if size < 10**5 else 5), turns=30)
    assert max(messages for messages, _ in most) <= MAX_REPLIES_READ
    assert max(size for _, size in most) < 2 * 2**20


def test_replies_without_a_request_give_the_seat_up(duel):
    junk = frame("action", {"tick": 0, "action": 0}, id=10**9)
    _, given_up = duel(lambda id, act: [junk] * 200)
    assert "one answer to each request" in given_up


def test_a_reply_too_large_for_a_seat_gives_it_up_and_is_not_held(duel):
    _, given_up = duel(lambda id, act: [bytes(3 * 2**20)], turns=3000)
    assert "got none for 20 s" in given_up or "no answer within" in given_up


def test_errors_without_end_give_the_seat_up(duel):
    _, given_up = duel(lambda id, act: [encode(Error(code="failed", text="x" * 60_000), id=id)])
    assert "3 wrong answers" in given_up
    assert len(given_up) < 5000
