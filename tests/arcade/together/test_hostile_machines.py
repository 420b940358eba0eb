"""What a machine that breaks the rules can do to the others: lose."""

from __future__ import annotations

import sys
import time

import pytest

from agents.errors import UserError
from arcade.together import messages
from arcade.together.messages import FROM_HOST, MAX_HOST_BYTES, Player, decode
from arcade.together.running import RunOptions, join_match
from arcade.together.ways.codes import parse_code
from arcade.together.ways.links import PeerLink
from tests.support.odd_machines import OddGuest, OddHost
from tests.support.online import DEADLINE, Arcade


@pytest.mark.parametrize("game", ["tests.support.never_imported:env", "classic/leduc_holdem", "nosuch"])
def test_a_host_has_no_code_imported(game):
    with OddHost(game) as host, pytest.raises(UserError, match="expected a game"):
        join_match(host.code, ["left_0=random"], RunOptions(ladder=False, record=False))
    assert "tests.support.never_imported" not in sys.modules


@pytest.fixture
def host(tmp_path):
    words = ("volley", "--seat", "left_0=random", "--address", "127.0.0.1", "--seed", 7)
    with Arcade(tmp_path, "host", *words) as arcade:
        yield arcade


@pytest.mark.parametrize("seats", [{"left_0": [1]}, {"nosuch": [1]}, {"right_0": [77]}, {"right_0": ["up"]}])
def test_inputs_for_the_seat_of_another_end_the_senders_part(host, seats):
    guest = OddGuest(host.code)
    guest.wait_for(messages.Welcome)
    guest.sit("right_0")
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
