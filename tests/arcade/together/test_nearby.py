"""Matches on the local network are found by themselves."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from arcade.together.ways.codes import SessionCode
from arcade.together.ways.nearby import LONGEST, MOST, SERVICE, Announcement, Nearby, NearbyMatch, read_announcement
from tests.support.online import Arcade

CODE = SessionCode("127.0.0.1", 5999, bytes(range(32)), os.urandom(10))  # no other test on the network has it
DEADLINE = 60.0
HOST = ("--seat=player_1=random", "--name=Ada", "--address=0.0.0.0")  # of this machine too, and not of loopback


def wait_for(condition, what):
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, f"expected {what}"
        time.sleep(0.05)


def test_a_match_is_found_while_it_is_announced_and_is_seen_to_begin():
    def matches():
        return [one for one in nearby.found if one.code == CODE.text]

    with Nearby() as nearby:
        with Announcement(CODE, "house/volley", "Ada\n" + 99 * "x") as announcement:
            wait_for(matches, "the match to be found")
            assert matches() == [NearbyMatch(CODE.text, "house/volley", ("Ada" + 99 * "x")[:60])]
            announcement.begin()
            wait_for(lambda: any(one.has_begun for one in matches()), "the match to have begun")
        wait_for(lambda: not matches(), "the match to be gone")
        announcement.begin()


def test_a_match_without_a_window_is_found_until_it_is_over(tmp_path):
    def matches():
        return [one for one in nearby.found if one.code == host.code]

    with Nearby() as nearby, Arcade(tmp_path, "host", "tictactoe", *HOST) as host:
        wait_for(matches, "the match to be found")
        assert matches() == [NearbyMatch(host.code, "classic/tictactoe_v3", "Ada")]
        with Arcade(tmp_path / "guest", "join", matches()[0].code, "--seat=player_2=random") as guest:
            assert host.end()["result"]["ended"] == guest.end()["result"]["ended"] == "finished"
        wait_for(lambda: not matches(), "the match to be gone")


@pytest.mark.parametrize(
    "properties",
    [
        {}, {b"code": None}, {b"code": b"\xff\xfe", b"game": b"house/volley"},
        {b"code": CODE.text.encode()}, {b"code": CODE.address.encode(), b"game": b"house/volley"},
    ],
)  # fmt: skip
def test_what_is_no_announcement_is_no_match(properties):
    assert read_announcement(properties) is None


def test_a_flood_of_announcements_leaves_a_short_list_of_short_printable_names():
    properties = {b"game": b"\x1b[2J" + 500 * b"g", b"host": 500 * b"\xff"}

    def info(kind, name):
        code = replace(CODE, secret=int(name.partition(".")[0]).to_bytes(10, "big")).text.encode()
        return SimpleNamespace(properties={**properties, b"code": code})

    network = SimpleNamespace(get_service_info=info)
    with Nearby() as nearby:
        for number in range(10 * MOST):
            nearby.add_service(network, SERVICE, f"{number}.{SERVICE}")
        assert len(nearby.found) == MOST
        assert all(text.isprintable() and len(text) <= LONGEST for one in nearby.found for text in (one.game, one.host))
