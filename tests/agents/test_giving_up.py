"""A seat whose server cannot play it is given up within seconds, with the reason; no match waits for it for ever."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import zmq
from gymnasium import spaces

from agents.seats.controller import ControllerError, Turn
from agents.wire.client import RemoteController
from agents.wire.encoding import pack
from agents.wire.limits import ANSWER_SECONDS, HELLO_SECONDS, MAX_REPLY_BYTES, RETRY_SECONDS
from agents.wire.messages import VERSION, Hello, Welcome, decode, encode
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer

OBSERVATION = np.zeros(4, np.float32)


class Clock:
    """Seconds, turned by hand."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class Peer:
    """A server that takes every seat and answers acts with the bodies that `reply` makes, however wrong.

    Subclasses answer with other bytes.
    """

    def __init__(self, reply):
        self.socket = zmq.Context.instance().socket(zmq.ROUTER)
        self.socket.linger = 0
        port = self.socket.bind_to_random_port("tcp://127.0.0.1")
        self.endpoint, self.reply = f"tcp://insecure@127.0.0.1:{port}", reply

    def serve_once(self, timeout=0.02):
        if not self.socket.poll(timeout * 1000):
            return
        client, frame = self.socket.recv_multipart()
        id, message = decode(frame)
        if isinstance(message, Hello):
            answers = [encode(Welcome(seat=message.seat, policy="peer"), id=id)]
        else:
            answers = self.answers(id, message)
        for answer in answers:
            self.socket.send_multipart([client, answer])

    def answers(self, id, act):
        return [pack([VERSION, "action", id, self.reply(act)])]


@pytest.fixture
def play(seat):
    """Plays one turn with a server: (the seat, its action, the error with which it is given up, seconds passed)."""
    opened = []

    def turn(server, *, policy="", endpoint="", seat_spec=seat, space=None, step=0.01, tick=1):
        clock = Clock()
        remote = RemoteController(endpoint or server.endpoint, policy, clock=clock)
        opened.append(remote)
        remote.reset(replace(seat_spec, action_space=space or seat_spec.action_space), seed=1)
        remote.observe(Turn("one", tick, OBSERVATION))
        for _ in range(5000):
            errors = remote.counts.errors
            try:
                if (action := remote.act()) is not None:
                    return remote, action, "", clock.now - 100
            except ControllerError as error:
                return remote, None, str(error), clock.now - 100
            if server is not None:
                server.serve_once(timeout=0.01)
            clock.now += RETRY_SECONDS if remote.counts.errors > errors else step
        raise AssertionError("the seat still waits")

    yield turn
    for remote in opened:
        remote.close()


def test_nobody_listens(play):
    _, _, error, seconds = play(None, endpoint="tcp://127.0.0.1:1", step=0.5)
    assert "expected a policy server at tcp://127.0.0.1:1, got no answer within 5 s" in error
    assert seconds <= HELLO_SECONDS + 1


@pytest.mark.parametrize(
    ("policy", "game", "why"), [("nobody", "test/game", "no_policy"), ("", "other/game", "no_policy")]
)
def test_a_server_without_the_policy_or_the_game_is_given_up_at_hello(play, store, seat, policy, game, why):
    seat_of_game = replace(seat, game=game)
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        remote, _, error, _ = play(server, policy=policy, seat_spec=seat_of_game)
        assert why in error
        assert remote.counts.errors == 1
        assert remote.report()["last_error"] == error


def test_a_policy_that_raises_is_given_up_with_its_reason_after_a_few_turns(play):
    policies = FunctionPolicies(lambda observation: 1 // 0)
    with PolicyServer(policies, endpoint="tcp://127.0.0.1:*") as server:
        remote, _, error, _ = play(server)
    assert "3 wrong answers, the last: failed:" in error
    assert "ZeroDivisionError" in error
    assert remote.counts.errors == 3


BOX = spaces.Box(-1, 1, (2,), np.float32)
WIDE = spaces.Box(-np.inf, np.inf, (2,), np.float32)
BYTES = spaces.Box(0, 255, (2,), np.uint8)


@pytest.mark.parametrize(
    ("action", "space"),
    [
        (9, None),
        (-1, None),
        (2.5, None),
        (None, None),
        ("2", None),
        ([2, 2], None),
        (2**63, None),
        (np.float64("nan"), None),
        (np.array([np.nan, 0.0]), BOX),
        (np.array([2.0, 0.0]), BOX),
        (np.zeros(3), BOX),
        (np.zeros((2, 1)), BOX),
        (np.array([np.nan, 0.0]), WIDE),
        (np.array([1e300, 0.0]), WIDE),
        (np.array([300, 0]), BYTES),
        (np.array([-1, 0]), BYTES),
        ([0.5, [1]], BOX),
        (np.array([1e300, 0]), spaces.MultiDiscrete([3, 3])),
        (np.array([3, 0]), spaces.MultiDiscrete([3, 3])),
    ],
)
def test_answers_that_are_no_legal_action_are_given_up(play, action, space):
    remote, played, error, _ = play(Peer(lambda act: {"tick": act.tick, "action": action}), space=space)
    assert played is None
    assert "3 wrong answers" in error
    assert remote.counts.answered == 0


def test_an_answer_for_another_tick_is_none(play):
    _, played, error, _ = play(Peer(lambda act: {"tick": act.tick - 1, "action": 2}), tick=7)
    assert played is None
    assert "expected an action for tick 7, got one for 6" in error


@pytest.mark.parametrize("size", [0, 2 * MAX_REPLY_BYTES])
def test_a_server_that_answers_nothing_or_far_too_much_is_given_up(play, size):
    class Mute(Peer):
        def answers(self, id, act):
            return [bytes(size)] if size else []

    _, _, error, seconds = play(Mute(None), step=0.1)
    assert "got none for 20 s" in error or "no answer within 5 s" in error
    assert seconds <= ANSWER_SECONDS + HELLO_SECONDS + 1


def test_a_server_that_repeats_its_answers_is_given_up(seat, until):
    class Repeating(Peer):
        def answers(self, id, act):
            return super().answers(id, act) * 10

    server = Repeating(lambda act: {"tick": act.tick, "action": 2})
    remote = RemoteController(server.endpoint)
    remote.reset(seat, seed=1)

    def play() -> None:
        for tick in range(100):
            remote.observe(Turn("one", tick, OBSERVATION))
            until(lambda: remote.act() is not None, lambda: server.serve_once(timeout=0.02))

    with pytest.raises(ControllerError, match=r"expected one answer to each request from .*, got 64 more"):
        play()
    assert 5 < remote.counts.answered < 20
    server.reply = lambda act: {"tick": act.tick, "action": 3}  # and in the next episode it may play again
    remote.reset(seat, seed=2)
    remote.observe(Turn("one", 0, OBSERVATION))
    until(lambda: remote.act() is not None, lambda: server.serve_once(timeout=0.02))
    assert remote.act() == 3
    remote.close()


def test_a_paused_match_ends_no_patience(store, seat):
    clock = Clock()
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        remote = RemoteController(server.endpoint, clock=clock)
        remote.reset(seat, seed=1)
        remote.observe(Turn("one", 1, OBSERVATION))
        clock.now += 3600
        for _ in range(500):
            server.serve_once(timeout=0.02)
            if remote.act() is not None:
                break
        assert remote.act() in range(5)
        remote.close()


def test_a_seat_that_was_given_up_begins_its_next_episode_with_a_new_connection(play, store, seat, until):
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        remote, _, error, _ = play(server, policy="nobody")
        assert error
        remote.observe(Turn("one", 2, OBSERVATION))
        with pytest.raises(ControllerError):
            remote.act()
        remote.policy = "first"
        remote.reset(seat, seed=2)
        remote.observe(Turn("one", 0, OBSERVATION))
        until(lambda: remote.act() is not None, lambda: server.serve_once(timeout=0.02))
