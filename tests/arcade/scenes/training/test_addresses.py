"""Addresses that a trainer names are believed only where they are addresses."""

from __future__ import annotations

import pytest

from arcade.session.training.runs import endpoint, reached_from


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
        ("tcp://127.0.0.1:1", "", ""),
    ],
)
def test_events_are_heard_where_the_control_socket_was_found(control, events, found) -> None:
    assert reached_from(control, events) == found
