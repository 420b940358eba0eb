"""Addresses that a trainer may name: TCP only, and as they are reached from here."""

from __future__ import annotations

import re

_ENDPOINT = re.compile(r"tcp://(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.%]+\]):(?P<port>\d{1,5})")
_HERE, _ANYWHERE = ("127.0.0.1", "localhost", "[::1]"), ("0.0.0.0", "*", "[::]")


def endpoint(value: object) -> str:
    """``tcp://host:port`` as it came, "" for anything else: files and local sockets are not for a trainer to name."""
    match = _ENDPOINT.fullmatch(value) if isinstance(value, str) else None
    return match[0] if match and 0 < int(match["port"]) < 65536 else ""


def reached_from(control: str, events: str) -> str:
    """`events` as it is reached from where `control` was; "" for what is no address.

    A trainer that listens everywhere, or on loopback, cannot know its own name.
    """
    events = events.replace("tcp://*:", "tcp://0.0.0.0:")
    found, here = _ENDPOINT.fullmatch(endpoint(events)), _ENDPOINT.fullmatch(control)
    if found is None or here is None:
        return ""
    elsewhere = found["host"] in _HERE and here["host"] not in _HERE
    return f"tcp://{here['host']}:{found['port']}" if elsewhere or found["host"] in _ANYWHERE else found[0]
