"""Matches on the local network are found by themselves."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from arcade.together.ways.codes import SessionCode
from arcade.together.ways.nearby import LONGEST, MOST, SERVICE, Announcement, Nearby, read_announcement

CODE = SessionCode("127.0.0.1", 5999, bytes(range(32)), bytes(range(10)))
DEADLINE = 60.0


def test_a_match_is_found_while_it_is_announced():
    with Nearby() as nearby:
        with Announcement(CODE, "house/volley", "Ada\n" + 99 * "x"):
            end = time.monotonic() + DEADLINE
            while not (found := [one for one in nearby.found if one.code == CODE.text]):
                assert time.monotonic() < end, "expected the match to be found"
                time.sleep(0.05)
            assert found[0].game == "house/volley"
            assert found[0].host == ("Ada" + 99 * "x")[:60]
        end = time.monotonic() + DEADLINE
        while CODE.text in [one.code for one in nearby.found]:
            assert time.monotonic() < end, "expected the match to be gone"
            time.sleep(0.05)


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
    properties = {b"code": CODE.text.encode(), b"game": b"\x1b[2J" + 500 * b"g", b"host": 500 * b"\xff"}
    network = SimpleNamespace(get_service_info=lambda kind, name: SimpleNamespace(properties=properties))
    with Nearby() as nearby:
        for number in range(10 * MOST):
            nearby.add_service(network, SERVICE, f"{number}.{SERVICE}")
        assert len(nearby.found) == MOST
        assert all(text.isprintable() and len(text) <= LONGEST for one in nearby.found for text in (one.game, one.host))
