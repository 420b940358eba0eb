"""A remote seat never waits: its server may be slow, stopped, killed or replaced, and play goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from gymnasium import spaces

from agents.seats.controller import ControllerError, SeatSpec, Turn
from agents.wire.client import RemoteController, parse_remote
from agents.wire.limits import SILENCE
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer

pytestmark = pytest.mark.usefixtures("patient")


class Clock:
    """Seconds, turned by hand."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class Play:
    """A match's part of the work: a turn, then whatever answer is there."""

    def __init__(self, remote):
        self.remote, self.tick, self.answers = remote, 0, 0

    def play_with(self, server, until):
        """One turn, its server cranked by hand until the answer is there."""
        self.remote.observe(Turn("one", self.tick, np.zeros(4, np.float32)))
        self.tick += 1
        until(lambda: self.remote.act() is not None, lambda: server.serve_once(timeout=0.02))

    def step(self):
        self.remote.observe(Turn("one", self.tick, np.zeros(4, np.float32)))
        self.tick += 1
        self.remote._socket.poll(20)
        self.answers += self.remote.act() is not None


@pytest.fixture
def play(seat):
    made = []

    def start(endpoint, policy="", **more):
        made.append(RemoteController(endpoint, policy, **more))
        made[-1].reset(seat, seed=1)
        return Play(made[-1])

    yield start
    for remote in made:
        remote.close()
        remote.close()


def more_answers(play, count=5):
    goal = play.answers + count
    return lambda: play.answers >= goal


def test_it_plays_and_tells_who_and_how_fast(start_server, store, play, until):
    game = play(start_server(store).endpoint)
    until(more_answers(game, 20), game.step)
    assert game.remote.label == "first"
    assert game.remote.rtt_ms > 0
    assert game.remote.counts.answered >= 20
    report = game.remote.report()
    assert 0 < report["rtt_ms_p50"] <= report["rtt_ms_p99"]
    assert (report["endpoint"], report["answered"]) == (game.remote.endpoint, game.remote.counts.answered)


def test_a_server_killed_and_replaced_on_the_same_port(start_server, store, play, until, card, policy):
    first = start_server(store)
    game = play(first.endpoint)
    until(more_answers(game), game.step)
    first.process.kill()
    first.process.wait(60)
    dropped = game.remote.counts.dropped
    until(lambda: game.remote.counts.dropped > dropped + 5, game.step)
    assert game.remote.act() is None
    start_server(store, first.endpoint)
    until(more_answers(game), game.step)
    assert game.remote.counts.hellos >= 2


def test_a_server_stopped_and_continued(start_server, store, play, until):
    server, clock = start_server(store), Clock()
    game = play(server.endpoint, clock=clock)
    until(more_answers(game), game.step)
    os.kill(server.process.pid, signal.SIGSTOP)
    for _ in range(100):
        game.step()
        clock.now += 0.05
    assert game.remote.silent
    sent = game.remote.counts.sent
    for _ in range(50):
        game.step()
    assert game.remote.counts.sent == sent, "turns are not piled up for a server that says nothing"
    os.kill(server.process.pid, signal.SIGCONT)
    until(more_answers(game), game.step)
    assert not game.remote.silent


def test_a_seat_whose_server_was_killed_is_silent_until_another_answers(start_server, store, play, until):
    clock, first = Clock(), start_server(store)
    game = play(first.endpoint, clock=clock)
    until(more_answers(game), game.step)
    first.process.kill()
    first.process.wait(60)
    dropped = game.remote.counts.dropped
    until(lambda: game.remote.counts.dropped > dropped + 5, game.step)  # the connection is known to be gone
    clock.now += SILENCE + 0.1
    game.step()
    assert game.remote.silent
    start_server(store, first.endpoint)
    until(more_answers(game), game.step)
    assert not game.remote.silent


def test_an_answer_that_nobody_asks_for_any_more_is_one(play, until):
    """The seat has left the game: its last answer would come to no `act`, and the match count as unanswered."""
    clock = Clock()
    with PolicyServer(FunctionPolicies(lambda observation: 0), endpoint="tcp://127.0.0.1:*") as server:
        game = play(server.endpoint, clock=clock)
        game.play_with(server, until)
        game.remote.observe(Turn("one", game.tick, np.zeros(4, np.float32)))
        clock.now += SILENCE + 0.1
        assert game.remote.silent
        until(lambda: not game.remote.silent, lambda: server.serve_once(timeout=0.02))


def test_a_server_that_was_never_there_is_silent(play):
    clock = Clock()
    game = play("tcp://127.0.0.1:1", clock=clock)
    game.step()
    assert not game.remote.silent
    clock.now += SILENCE + 0.1
    assert game.remote.silent


def test_the_label_is_printable(play):
    assert play("tcp://127.0.0.1:1", "la\x1b[2Jtest\n").remote.label == "la[2Jtest"


@pytest.mark.parametrize("asked", ["", "latest"])
def test_the_label_is_who_plays_as_soon_as_that_is_known(asked, store, play, until, card, policy):
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        game = play(server.endpoint, asked)
        assert (game.remote.label, game.remote.rated) == (asked or server.endpoint, False)
        game.play_with(server, until)
        assert (game.remote.label, game.remote.rated) == ("first", True)
        store.save(card("newer"), policy(3))
        until(lambda: game.remote.label == "newer", lambda: game.play_with(server, until))


def test_no_call_waits_while_there_is_no_server(play):
    game = play("tcp://127.0.0.1:1")
    start = time.process_time()
    for tick in range(1000):
        game.remote.observe(Turn("one", tick, np.zeros(4, np.float32)))
        assert game.remote.act() is None
        assert game.remote.stale() is None
    assert time.process_time() - start < 30
    assert game.remote.counts.dropped == 999


def test_a_server_that_comes_later_is_found_and_the_waiting_turn_answered(start_server, store, play, until, tmp_path):
    endpoint = f"ipc://{tmp_path}/late"
    game = play(endpoint)
    game.step()
    with PolicyServer(store, endpoint=endpoint) as server:
        until(lambda: game.remote.act() is not None, lambda: server.serve_once(timeout=0.02))
    assert game.tick == 1


def test_a_late_answer_is_stale_once_and_never_taken_for_a_new_one(store, play, until):
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        game = play(server.endpoint)
        game.play_with(server, until)
        remote = game.remote
        remote.observe(Turn("one", 50, np.zeros(4, np.float32)))
        until(lambda: server.serve_once(timeout=0.02), lambda: None)
        assert remote._socket.poll(30_000)
        remote.observe(Turn("one", 51, np.zeros(4, np.float32)))
        assert remote.act() is None
        assert remote.stale() in range(5)
        assert remote.stale() is None
        until(lambda: remote.act() is not None, lambda: server.serve_once(timeout=0.02))


def test_answers_of_an_earlier_episode_are_forgotten(store, play, seat, until):
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        game = play(server.endpoint)
        game.play_with(server, until)
        game.remote.observe(Turn("one", 60, np.zeros(4, np.float32)))
        until(lambda: server.serve_once(timeout=0.02), lambda: None)
        assert game.remote._socket.poll(30_000)
        game.remote.reset(seat, seed=2)
        assert game.remote.stale() is None
        assert game.remote.act() is None


def test_an_illegal_answer_is_dropped_and_asked_for_again(play, until, seat):
    answers = iter([9, 9, 3])
    policies = FunctionPolicies(lambda observation: next(answers))
    clock = Clock()
    with PolicyServer(policies, endpoint="tcp://127.0.0.1:*") as server:
        game = play(server.endpoint, clock=clock)
        game.step()

        def crank():
            server.serve_once(timeout=0.02)
            clock.now += SILENCE

        until(lambda: game.remote.act() == 3, crank)
        assert "0 <= action < 5, got: 9" in game.remote.last_error == game.remote.report()["last_error"]
        assert game.remote.counts.errors >= 2


def test_remote_words():
    assert parse_remote("tcp://127.0.0.1:5555") == ("tcp://127.0.0.1:5555", "")
    assert parse_remote("tcp://127.0.0.1:5555/volley-0001") == ("tcp://127.0.0.1:5555", "volley-0001")
    assert parse_remote("ipc:///tmp/agents/one") == ("ipc:///tmp/agents/one", "")
    with pytest.raises(ControllerError, match="tcp://127"):
        parse_remote("localhost")
    with pytest.raises(ControllerError, match="expected an address"):
        RemoteController("tcp://:::")


def test_a_game_whose_observations_cannot_travel_is_named():
    remote = RemoteController("tcp://127.0.0.1:1")
    space = spaces.Dict({"a": spaces.Discrete(2)})
    odd = SeatSpec(game="odd/game", agent=0, observation_space=space, action_space=spaces.Discrete(2))
    with pytest.raises(ControllerError, match="odd/game"):
        remote.reset(odd, seed=1)
    remote.close()


AGENT = """
import agents

def play(observation, action_mask):
    return 3

agents.serve(play, endpoint="tcp://127.0.0.1:*", ready=lambda endpoint: print(endpoint, flush=True))
"""


def test_five_lines_make_a_remote_agent_that_ends_on_sigterm(play, until):
    process = subprocess.Popen([sys.executable, "-c", AGENT], stdout=subprocess.PIPE, text=True)
    try:
        endpoint = process.stdout.readline().strip()
        assert re.fullmatch(r"tcp://127\.0\.0\.1:\d+", endpoint)
        game = play(endpoint)
        until(lambda: game.remote.act() == 3, game.step)
        assert game.remote.label == "play"
        process.terminate()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.stdout.close()
