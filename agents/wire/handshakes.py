"""Handshakes: tells why a server refuses a client's socket, and dials again."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import zmq

from agents.wire.addresses import Address, AddressError
from agents.wire.keys import Keys
from agents.wire.server_watch import ServerWatch

DIAL_EVERY = 1.0
"""Seconds from a refusal to the next attempt; ZeroMQ itself would give up, or try twenty times a second."""

CLOSED_OFTEN = 2
"""Handshakes in a row that a server must break off before it counts as a refusal; one may be that it just ended."""

CUT = "it was cut off, since it sent more than a client has to hold, or a message without an end"
"""The refusal of a server that fills the memory."""


class Handshakes:
    """Those of a client's socket with the server at `address`.  For the thread of the socket."""

    def __init__(
        self, socket: zmq.Socket[bytes], address: Address, watch: ServerWatch, *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.refusal = ""
        """Why the server, "it", refused the last one, and how to mend that; "" where it did not."""
        self._socket, self._address, self._keys, self._clock = socket, address, Keys(), clock
        self._dial_at: float | None = None
        self._closed = 0  # handshakes in a row that the server broke off
        self._watch = watch
        watch.handshakes()  # earlier ones do not count

    def check(self) -> str:
        """Take note of what has happened, and return `refusal`."""
        if self._watch.take_cut():
            self._hang_up()
            self.refusal = CUT
        for event in self._watch.handshakes():
            if self._dial_at is None:  # else it is one of ZeroMQ's own attempts before this socket hung up
                self.refusal = self._explain(event["event"], event["value"])
            if event["event"] != zmq.EVENT_HANDSHAKE_SUCCEEDED and self._dial_at is None:
                self._hang_up()
        if self._dial_at is not None and self._clock() >= self._dial_at:
            self.dial()
        return self.refusal

    def dial(self) -> None:
        """Connect the socket, anew if it is connected.  Raises AddressError for an endpoint that is invalid."""
        self._hang_up()
        self._dial_at = None
        connect(self._socket, self._address)

    def _hang_up(self) -> None:
        self._dial_at = self._clock() + DIAL_EVERY
        with contextlib.suppress(zmq.ZMQError):  # it is not connected
            self._socket.disconnect(self._address.endpoint)

    def _explain(self, event: int, value: int) -> str:
        """A failed handshake for people; "" for one that succeeded, as before for one that may be chance."""
        self._closed = self._closed + 1 if event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL else 0
        if event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
            return f"it does not know our key; there: arcade keys allow {self._keys.own().public.hex()} --name NAME"
        if event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL:
            return _closed(self._address) if self._closed >= CLOSED_OFTEN else self.refusal
        if event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
            is_mismatch = value == zmq.PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH
            return _mismatch(self._address) if is_mismatch else "it is no server of the arcade"
        return ""


def connect(socket: zmq.Socket[bytes], address: Address) -> None:
    """Connect the socket; raises AddressError for an endpoint that is invalid."""
    try:
        socket.connect(address.endpoint)
    except zmq.ZMQError as error:
        text = f"expected an address like tcp://127.0.0.1:5555, got: {address.endpoint!r}: {error}"
        raise AddressError(text) from error


def _closed(address: Address) -> str:
    """A server that cannot read the hello closes the connection: its key is another, or it has none."""
    if address.insecure:
        return _mismatch(address)
    if address.key:
        return "it has another key or none; its key is shown there by: arcade keys show"
    return "it has another key than ours or none; write KEY@ before the host, as is shown there by: arcade keys show"


def _mismatch(address: Address) -> str:
    if address.insecure:
        return "it asks for keys; write KEY@ in place of insecure@, as is shown there by: arcade keys show"
    return "it has no keys; write insecure@ before the host, if you trust everyone on the way there"
