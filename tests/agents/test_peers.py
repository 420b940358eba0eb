"""What one peer of a server may send, by a clock that the test turns."""

from __future__ import annotations

import pytest

from agents.wire import limits, peers
from agents.wire.peers import Allowance, Peers
from agents.wire.public_text import public_text


def test_an_allowance_gives_its_burst_at_once_and_its_rate_for_ever():
    allowance = Allowance(10, burst=5, now=0.0)
    assert sum(allowance.take(1, 0.0) for _ in range(100)) == 5
    taken = sum(allowance.take(1, tick / 1000) for tick in range(1, 10_001))
    assert taken == pytest.approx(100, abs=1)
    assert sum(allowance.take(1, 1000.0) for _ in range(100)) == 5, "what was not used is not saved up"


def test_a_clock_that_stands_still_gives_nothing():
    allowance = Allowance(1e9, burst=1, now=5.0)
    assert [allowance.take(1, 5.0) for _ in range(3)] == [True, False, False]


def test_messages_and_bytes_are_both_bounded_and_each_peer_has_its_own():
    all_peers = Peers(rate=100, burst=100)
    one, other = all_peers.of(b"one", 0.0), all_peers.of(b"other", 0.0)
    assert sum(one.take(1, 0.0) for _ in range(500)) == 100
    assert other.take(limits.BURST_BYTES, 0.0)
    assert not other.take(1, 0.0)
    assert other.take(limits.BYTES_A_SECOND // 2, 0.5)
    assert all_peers.of(b"one", 0.0) is one


def test_many_identities_are_forgotten_and_those_with_seats_are_not(monkeypatch):
    monkeypatch.setattr(peers, "MAX_PEERS", 10)
    all_peers = Peers()
    seated = all_peers.of(b"seated", 0.0)
    seated.seats = 1
    for number in range(1000):
        all_peers.of(b"%d" % number, number / 1000)
        assert len(all_peers) <= 10
    assert all_peers.of(b"seated", 1.0) is seated


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("no such file: /home/ann/.local/arcade/x.onnx", "no such file: x.onnx"),
        ("got: '/home/ann smith/a b.onnx' instead", "got: 'a b.onnx' instead"),
        ("C:\\Users\\ann\\arcade", "arcade"),
        ("in ~/arcade/snapshots; refused: x", "in snapshots; refused: x"),
        ("expected tcp://127.0.0.1:5555/latest or 3/4 and/or 1/2/3", None),
        ("expected 0 <= action < 5, got: 9", None),
    ],
)
def test_texts_for_strangers_have_no_paths(text, public):
    assert public_text(text) == (text if public is None else public)
