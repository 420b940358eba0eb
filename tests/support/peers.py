"""Peers of the wire that write their own frames."""

from __future__ import annotations

from typing import Any

import zmq

from agents.wire.addresses import parse_address
from agents.wire.sockets import connecting_socket


def open_peer(address: str, kind: int = zmq.DEALER) -> Any:
    """A socket connected to `address`, with our own keys unless the address says otherwise."""
    parsed = parse_address(address)
    socket = connecting_socket(kind, parsed)
    socket.connect(parsed.endpoint)
    return socket
