"""Whole matches against a hostile policy server, as a person plays them from the command line."""

from __future__ import annotations

import json
import threading

import pytest
import zmq
from typer.testing import CliRunner

from agents.wire.messages import Act, Error, Hello, Message, Welcome, decode, encode
from arcade.commands.cli import app
from tests.support.attacks import LIMIT, frame

ORDER = "\x1b[2J\x1b]0;owned\x07\u202e\r\n"


class HostileServer:
    """Answers each hello with `welcome`, and each act with the frame that `answer` makes of its id and itself.

    Where that is EOFError, the server is gone.
    """

    def __init__(self, welcome, answer):
        self._socket = zmq.Context.instance().socket(zmq.ROUTER)
        self._socket.linger = 0
        self.address = f"tcp://insecure@127.0.0.1:{self._socket.bind_to_random_port('tcp://127.0.0.1')}"
        self._welcome, self._answer = welcome, answer
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._closing.is_set():
            if not self._socket.poll(50):
                continue
            client, data = self._socket.recv_multipart()
            id, message = decode(data)
            reply = None
            if isinstance(message, Hello):
                reply = self._welcome(message)
            elif isinstance(message, Act):
                reply = self._answer(id, message)
            if reply is EOFError:
                break
            if reply is not None:
                self._socket.send_multipart([client, encode(reply, id=id) if isinstance(reply, Message) else reply])
        self._socket.close()

    def close(self):
        self._closing.set()
        self._thread.join(LIMIT)


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Plays volley headless in one seat against the server, at its own rate: the outcome of the command."""
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    servers = []

    def begin(*words, answer, welcome=lambda hello: Welcome(seat=hello.seat, policy="x")):
        servers.append(HostileServer(welcome, answer))
        seats = ("--seat", f"left_0=remote:{servers[-1].address}", "--seat", "right_0=random")
        return CliRunner().invoke(app, ["play", "house/volley", "--headless", "--speed", "1", *seats, *words])

    yield begin
    for server in servers:
        server.close()


def illegal(id, act):
    return frame("action", {"tick": act.tick, "action": 99, "policy": f"x{ORDER}"}, id=id)


@pytest.mark.parametrize(
    "told",
    [
        {"answer": illegal},
        {"answer": illegal, "welcome": lambda hello: Welcome(seat=hello.seat, policy=f"x{ORDER}")},
        {"answer": illegal, "welcome": lambda hello: Error(code="unsupported", text=f"no{ORDER}")},
        {"answer": lambda id, act: encode(Error(code="failed", text=f"no{ORDER}"), id=id)},
    ],
    ids=["of an answer", "of the welcome", "of a refusal", "of an error"],
)  # fmt: skip
def test_no_text_of_a_server_reaches_the_terminal_as_an_order(told, play):
    done = play("--max-ticks", "600", **told)
    assert done.exit_code == 1, done.output
    assert "forfeited" in done.output
    assert not [letter for letter in done.output if not letter.isprintable() and letter != "\n"]


@pytest.mark.parametrize("answer", [lambda id, act: None, lambda id, act: bytes(2**21)], ids=["none", "too large"])
def test_a_match_in_which_a_seat_never_played_is_lost_for_it(answer, play):
    """Also where it ends before the server is given up."""
    done = play("--max-ticks", "120", "--json", answer=answer)
    assert done.exit_code == 1, done.output
    [match] = json.loads(done.stdout)["matches"]
    assert (match["ended"], match["loser"], match["ticks"], match["rated"]) == ("forfeit", "left_0", 120, False)
    assert "expected actions, got none in the whole match" in match["error"]


def legal_until(tick, then):
    """Answers acts before that tick with the first action, later ones with `then`."""
    return lambda id, act: frame("action", {"tick": act.tick, "action": 0}, id=id) if act.tick < tick else then


@pytest.mark.parametrize("then", [EOFError, None], ids=["gone", "silent"])
def test_a_match_whose_seat_is_lost_near_its_end_is_a_forfeit(then, play, monkeypatch):
    monkeypatch.setattr("agents.wire.patience.LOST_SECONDS", 2.0)
    done = play("--max-ticks", "240", "--json", answer=legal_until(60, then))
    assert done.exit_code == 1, done.output
    [match] = json.loads(done.stdout)["matches"]
    assert (match["ended"], match["loser"], match["ticks"], match["rated"]) == ("forfeit", "left_0", 240, False)
    assert "to the end, got none in the last" in match["error"]


def test_a_match_whose_server_plays_to_the_end_is_none(play):
    done = play("--max-ticks", "120", "--json", answer=legal_until(9999, None))
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["matches"][0]["ended"] == "max_ticks"
