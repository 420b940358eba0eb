"""What a trainer tells is believed only where it makes sense."""

from __future__ import annotations

import math

import pytest

from arcade.session.training.facts import NOTHING_TOLD, endpoint, number, reached_from, read_pool, whole, words

ODD = [None, True, "12", b"12", [], {}, math.nan, math.inf, -math.inf, 1e300, 10**400, -(10**400)]


@pytest.mark.parametrize("value", ODD)
def test_what_is_no_measurement_is_none(value) -> None:
    assert number(value) is None
    assert whole(value) is None


def test_words_are_short_and_can_be_drawn() -> None:
    assert words("volley-1\x00\n\u202e") == "volley-1"
    assert len(words("x" * 10_000)) == 80
    assert words(5) == ""


@pytest.mark.parametrize(
    "value", ["", "ipc:///tmp/x", "tcp://", "tcp://host", "tcp://host:0", "tcp://host:70000", "tcp://a b:1", None, 5]
)
def test_what_is_no_address_is_refused(value) -> None:
    assert endpoint(value) == ""


@pytest.mark.parametrize(
    ("control", "events", "found"),
    [
        ("tcp://127.0.0.1:1", "tcp://127.0.0.1:2", "tcp://127.0.0.1:2"),
        ("tcp://far.example:1", "tcp://127.0.0.1:2", "tcp://far.example:2"),
        ("tcp://10.0.0.7:1", "tcp://0.0.0.0:2", "tcp://10.0.0.7:2"),
        ("tcp://10.0.0.7:1", "tcp://*:2", "tcp://10.0.0.7:2"),
        ("tcp://10.0.0.7:1", "tcp://10.0.0.8:2", "tcp://10.0.0.8:2"),
        ("tcp://[::1]:1", "tcp://[::]:2", "tcp://[::1]:2"),
        ("tcp://127.0.0.1:1", "ipc:///etc/passwd", ""),
        ("tcp://127.0.0.1:1", None, ""),
    ],
)
def test_events_are_heard_where_the_control_socket_was_found(control, events, found) -> None:
    assert reached_from(control, events) == found


def test_a_status_takes_over_what_makes_sense_and_leaves_the_rest() -> None:
    known = NOTHING_TOLD.updated({"state": "running", "step": 5, "game": "house/volley", "policies": ["a", 5, "b"]})
    odd = known.updated({
        "state": 7, "step": math.nan, "game": ["x"], "policies": "ab", "snapshots": -1,
        "matchmaking": {"newest_ratio": 0.25, "fixed_ratio": 7, "weighting": "sideways", "new": 1},
    })  # fmt: skip
    assert (odd.state, odd.step, odd.game, odd.policies) == ("running", 5, "house/volley", ("a", "b"))
    assert odd.ratios == (("newest_ratio", 0.25),)
    assert odd.weighting == ""


def test_a_pool_keeps_the_members_that_make_sense() -> None:
    [(policy, members)] = read_pool({
        "policies": {
            "left": [
                {"name": "a", "kind": "snapshot", "games": 4, "win_rate": 0.5, "rating": 25.0, "sigma": 8.3},
                {"name": "b", "games": "many", "win_rate": 7.0, "rating": math.nan, "frozen_at": -3},
                {"games": 3}, "c", None,
            ],
            "right": "everyone",
        }
    }).items()  # fmt: skip
    assert policy == "left"
    assert [(member.name, member.games, member.win_rate, member.rating) for member in members] == [
        ("a", 4, 0.5, 25.0), ("b", 0, None, None),
    ]  # fmt: skip
    assert read_pool({"policies": ["left"]}) == {}
