"""Addresses that a trainer names are believed only where they are addresses."""

from __future__ import annotations

import json
import os

import pytest

from arcade.session.training.runs import endpoint, find_reached, reached_from

KEY = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    "value",
    [
        "", "ipc:///tmp/x", "tcp://", "tcp://host", "tcp://host:0", "tcp://host:70000", "tcp://a b:1", None, 5,
        "tcp://short@host:1", f"tcp://{KEY}0@host:1", f"ipc://{KEY}@/tmp/x",
    ],
)  # fmt: skip
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
        (f"tcp://{KEY}@far.example:1", "tcp://127.0.0.1:2", f"tcp://{KEY}@far.example:2"),
        (f"tcp://{KEY}@far.example:1", f"tcp://{KEY[::-1]}@127.0.0.1:2", f"tcp://{KEY}@far.example:2"),
        ("tcp://insecure@far.example:1", "tcp://0.0.0.0:2", "tcp://insecure@far.example:2"),
        (f"ipc://{KEY}@/tmp/control", "tcp://127.0.0.1:2", ""),
    ],
)
def test_events_are_heard_where_the_control_socket_was_found(control, events, found) -> None:
    assert reached_from(control, events) == found


@pytest.mark.parametrize("place", [f"ipc://{KEY}@/tmp/arcade-x", "ipc:///tmp/arcade-x", f"tcp://{KEY}@127.0.0.1:5"])
def test_a_trainer_here_names_its_sockets_and_its_key(tmp_path, place) -> None:
    addresses = {"control": place, "events": place, "pid": os.getpid()}
    (tmp_path / "endpoints.json").write_text(json.dumps(addresses))
    reached = find_reached(tmp_path)
    assert reached is not None
    assert (reached.control, reached.events) == (place, place)


@pytest.mark.parametrize("place", ["ipc://x", "ipc://short@/tmp/x", "ipc:///tmp/a b", "inproc://x"])
def test_other_sockets_here_are_not_reached(tmp_path, place) -> None:
    (tmp_path / "endpoints.json").write_text(json.dumps({"control": place, "events": place, "pid": os.getpid()}))
    assert find_reached(tmp_path) is None
