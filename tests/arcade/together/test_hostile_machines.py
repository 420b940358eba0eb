"""What a machine that breaks the rules can do to the others: lose."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from agents.errors import UserError
from arcade.match.play.result import versions
from arcade.together import messages
from arcade.together.messages import FROM_HOST, FROM_PEER, MAX_HOST_BYTES, MAX_PEER_BYTES, Player, decode
from arcade.together.running import RunOptions, join_match
from arcade.together.ways.codes import SECRET_BYTES, SessionCode, parse_code
from arcade.together.ways.links import HostLink, PeerLink
from tests.support.online import DEADLINE, Arcade


class OddHost(threading.Thread):
    """Answers every hello with a welcome to `game`."""

    def __init__(self, game):
        super().__init__(daemon=True)
        self.link, self.game, self.stopped = HostLink("tcp://127.0.0.1:*"), game, threading.Event()
        port = int(self.link.endpoint.rpartition(":")[2])
        self.code = SessionCode("127.0.0.1", port, self.link.address.key, bytes(SECRET_BYTES)).text

    def run(self):
        while not self.stopped.is_set():
            for heard in self.link.hear(0.05):
                if isinstance(decode(heard.frame, FROM_PEER, most=MAX_PEER_BYTES), messages.Hello):
                    welcome = messages.Welcome(peer=1, match="m", game=self.game, seed=1, free=["left_0"])
                    self.link.send(heard.sender, welcome)
        self.link.close()


@pytest.mark.parametrize("game", ["tests.support.never_imported:env", "classic/leduc_holdem", "nosuch"])
def test_a_host_has_no_code_imported(game):
    host = OddHost(game)
    host.start()
    try:
        with pytest.raises(UserError, match="expected a game"):
            join_match(host.code, ["left_0=random"], RunOptions(ladder=False, record=False))
    finally:
        host.stopped.set()
        host.join(DEADLINE)
    assert "tests.support.never_imported" not in sys.modules


class OddGuest:
    """A peer that sends what it likes."""

    def __init__(self, code):
        known = parse_code(code)
        self.link = PeerLink(known.address)
        self.send = self.link.send
        self.send(messages.Hello(instance=bytes(16), secret=known.secret, versions=dict(versions())))

    def wait_for(self, kind):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            for frame in self.link.hear(0.1):
                message = decode(frame, FROM_HOST, most=MAX_HOST_BYTES)
                if isinstance(message, kind):
                    return message
        pytest.fail(f"expected {kind}")


@pytest.fixture
def host(tmp_path):
    words = ("volley", "--seat", "left_0=random", "--address", "127.0.0.1", "--seed", 7)
    with Arcade(tmp_path, "host", *words) as arcade:
        yield arcade


def first_digests(seed):
    from arcade.games import find_game
    from arcade.match.stage.local import LocalStage
    from arcade.together.terms import probe

    with LocalStage(find_game("volley").for_matches()) as stage:
        return probe(stage, seed)


@pytest.mark.parametrize("seats", [{"left_0": [1]}, {"nosuch": [1]}, {"right_0": [77]}, {"right_0": ["up"]}])
def test_inputs_for_the_seat_of_another_end_the_senders_part(host, seats):
    guest = OddGuest(host.code)
    guest.wait_for(messages.Welcome)
    guest.send(messages.Claim(seats={"right_0": Player("odd", "random")}, probe=first_digests(7)))
    guest.send(messages.Ready())
    guest.wait_for(messages.Begin)
    guest.send(messages.Input(tick=0, seats=seats))
    assert guest.wait_for(messages.Refused).code == "input"
    outcome = host.end()
    assert outcome["result"]["ended"] == "forfeit"
    assert outcome["result"]["loser"] == "right_0"
    host.check_recording()
    guest.link.close()


def test_a_peer_that_was_not_let_in_is_read_no_further(host):
    known = parse_code(host.code)
    with PeerLink(known.address) as link:
        link.send(messages.Claim(seats={"right_0": Player("odd", "random")}, probe=[]))
        link.send(messages.Input(tick=0, seats={"left_0": [1]}))
        link.send(messages.Hello(instance=bytes(16), secret=b"wrong"))
        end = time.monotonic() + DEADLINE
        while not (frames := link.hear(0.1)):
            assert time.monotonic() < end
        answers = [decode(frame, FROM_HOST, most=MAX_HOST_BYTES) for frame in frames]
    # on one machine without a home of its own the key is the host's; here it is a stranger's
    assert [(type(one), one.code) for one in answers] == [(messages.Refused, "secret")]
