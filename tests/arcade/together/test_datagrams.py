"""Datagrams between a host and a machine, over real UDP."""

from __future__ import annotations

import socket

import pytest

from arcade.together.ways.datagrams import MAX_BYTES, Channel, HostDatagrams, PeerDatagrams
from tests.support.attacks import wait_until

KEY, NAME = bytes(range(32)), b"channel1"


def test_a_datagram_is_taken_once_and_only_undamaged():
    host, peer, other = (Channel(key, NAME, is_host=is_host) for key, is_host in
                         ((KEY, True), (KEY, False), (bytes(32), False)))  # fmt: skip
    one, two = peer.seal(b"one"), peer.seal(b"two")
    assert b"one" not in one
    assert host.open(two) == b"two"
    assert host.open(one) == b"one", "a later one may overtake it"
    assert host.open(one) is None, "a copy of it changes nothing"
    assert host.open(other.seal(b"forged")) is None
    assert host.open(two[:-1] + bytes([two[-1] ^ 1])) is None
    assert peer.open(peer.seal(b"own")) is None, "none is taken for one of the other direction"
    for _ in range(100):
        newest = peer.seal(b"x")
    assert host.open(newest) == b"x"
    assert host.open(peer.seal(b"y")) == b"y"


@pytest.fixture
def ends():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("0.0.0.0", 0))
        port = free.getsockname()[1]
    with HostDatagrams(port) as host:
        name, key = host.admit()
        with PeerDatagrams("127.0.0.1", port, name, key) as peer:
            yield host, peer, port


def test_both_ways_over_udp_and_nothing_of_strangers(ends):
    host, peer, port = ends
    host.send(peer.name, b"too early: it is not known where the machine is")
    peer.send(b"hello")
    heard = []
    wait_until(lambda: heard.extend(host.hear()) or heard)
    assert heard == [(peer.name, b"hello")]
    host.send(peer.name, b"welcome")
    host.send(peer.name, bytes(MAX_BYTES + 1))
    back = []
    wait_until(lambda: back.extend(peer.hear()) or back)
    assert back == [b"welcome"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        for data in (b"", b"x" * 40, peer.name + bytes(40), bytes(3000)):
            stranger.sendto(data, ("127.0.0.1", port))
    peer.send(b"still here")
    heard.clear()
    wait_until(lambda: heard.extend(host.hear()) or heard)
    assert heard == [(peer.name, b"still here")]
