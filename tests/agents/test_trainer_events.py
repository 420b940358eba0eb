"""Events of a trainer are accepted as a whole or refused as a whole."""

from __future__ import annotations

import math

import pytest

from agents.wire.messages import ProtocolError
from agents.wire.trainer_events import EVENTS, line, number, read_event, read_status, whole

ODD = [None, True, "12", b"12", [], {}, math.nan, math.inf, -math.inf, 1e300, 10**400, -(10**400)]

SENT = {
    "status": {"run": "r", "game": "house/volley", "state": "running", "step": 5, "policies": ["a", "b"]},
    "metrics": {"run": "r", "game": "house/volley", "step": 5, "iteration": 1, "win_rate": 0.5, "entropy": 1.5},
    "pool": {"step": 5, "policies": {"left": [{"name": "a", "kind": "snapshot", "games": 4, "win_rate": 0.5}]}},
    "win_rates": {"game": "house/volley", "step": 5, "win_rate": None, "rates": {"a": 0.25}},
    "snapshot_frozen": {"name": "volley-1", "game": "house/volley", "step": 5, "run": "r", "began": 1.5},
    "watch": {"episode": 1, "seed": 7, "first": True, "at": 0, "ticks": [{"left_0": 2}], "over": False, "lineup": {}},
}


@pytest.mark.parametrize("value", ODD)
def test_what_is_no_measurement_is_none(value) -> None:
    assert number(value) is None
    assert whole(value) is None


def test_lines_are_short_and_can_be_drawn() -> None:
    assert line("volley-1\x00\n\u202e") == "volley-1"
    assert len(line("x" * 10_000)) == 80
    assert line(5) == ""


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_comes_back_with_the_keys_that_were_sent(name) -> None:
    event = read_event(name, SENT[name])
    sent = SENT[name]
    assert event is not None
    assert event.as_data().keys() == sent.keys()
    assert read_event(name, event.as_data()) == event


def test_fields_that_are_not_known_are_ignored_and_unknown_events_are_none() -> None:
    assert read_event("never heard of", {"a": 1}) is None
    assert read_status({"state": "running", "newer": {"a": [1]}}).state == "running"


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("status", "state", 7), ("status", "step", math.nan), ("status", "snapshots", -1), ("status", "policies", "ab"),
        ("status", "matchmaking", {"fixed_ratio": 7}), ("status", "matchmaking", {"weighting": "sideways"}),
        ("status", "policies", ["a"] * 17), ("metrics", "step", "many"), ("metrics", "win_rate", 17.0),
        ("pool", "policies", ["left"]), ("pool", "policies", {"left": "everyone"}),
        ("pool", "policies", {"left": [{"games": 3}]}), ("pool", "policies", {"left": [{"name": "\n"}]}),
        ("pool", "policies", {"left": [{"name": "b", "rating": math.nan}]}), ("win_rates", "rates", {"a": 2.0}),
        ("snapshot_frozen", "name", b"x"), ("watch", "seed", 2**32), ("watch", "ticks", [{"a": 0}, 5]),
        ("watch", "lineup", {str(seat): "x" for seat in range(257)}), ("watch", "first", 1),
    ],
)  # fmt: skip
def test_one_wrong_field_refuses_the_event(name, field, value) -> None:
    with pytest.raises(ProtocolError):
        read_event(name, SENT[name] | {field: value})


def test_a_newer_status_replaces_what_it_gives_alone() -> None:
    known = read_status(SENT["status"] | {"matchmaking": {"newest_ratio": 0.25, "weighting": "hard"}})
    newer = known.merged(read_status({"step": 9}))
    assert (newer.step, newer.game, newer.policies) == (9, "house/volley", ("a", "b"))
    assert newer.matchmaking.ratios == (("newest_ratio", 0.25),)
