"""is_served: whether a ZeroMQ peer listens at an address."""

from __future__ import annotations

import socket
from contextlib import suppress

from agents.wire.addresses import AddressError, parse_address

WAIT = 0.3
"""Seconds for the connection, and again for the first bytes."""

_SIGNATURE = 10
"""Bytes: 0xFF, eight of padding, 0x7F.  https://rfc.zeromq.org/spec/23/"""


def is_served(address: str) -> bool:
    """Whether a ZeroMQ peer answers at ``tcp://[KEY@]HOST:PORT``, with its greeting; blocks for a moment.

    False for addresses of other kinds, and for servers of other programs.
    """
    with suppress(AddressError, OSError, ValueError):
        place = parse_address(address).place.partition("/")[0]
        host, _colon, port = place.rpartition(":")
        with socket.create_connection((host.strip("[]"), int(port)), timeout=WAIT) as connection:
            greeting = b""
            while len(greeting) < _SIGNATURE:
                if not (more := connection.recv(_SIGNATURE - len(greeting))):
                    return False
                greeting += more
            return greeting[0] == 0xFF and greeting[-1] == 0x7F
    return False
