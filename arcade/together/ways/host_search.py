"""Ways: how this machine reaches others of its match; Doors: all that may be the host, knocked at together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from agents.closing import Closing
from agents.wire.addresses import Address
from agents.wire.messages import ProtocolError
from arcade.together.messages import FROM_HOST, MAX_HOST_BYTES, Hello, Place, Welcome, decode
from arcade.together.ways.codes import SessionCode
from arcade.together.ways.links import HostLink, PeerLink
from arcade.together.ways.tunnel import GuestTunnel

KNOCK_EVERY = 1.0
"""Seconds between two hellos at a door."""


class Reach(Protocol):
    """What a session needs of its Ways."""

    def dial(self, place: Place) -> PeerLink: ...

    def code_at(self, place: Place) -> SessionCode: ...

    def close(self) -> None: ...


class Ways(Closing):
    """By the network itself, or by a relay, whose tunnel is closed with it."""

    def __init__(self, relay: tuple[str, int] | None, secret: bytes) -> None:
        self._relay, self._secret = relay, secret
        self._out: GuestTunnel | None = None

    @classmethod
    def of(cls, code: SessionCode) -> Ways:
        """The ways of those who join; with a relay that needs seconds, and raises SessionError without it."""
        ways = cls((code.host, code.port) if code.by_relay else None, code.secret)
        ways._prepare()
        return ways

    def _prepare(self) -> None:
        if self._relay is not None and self._out is None:
            self._out = GuestTunnel(self._relay, self._secret)

    def dial(self, place: Place) -> PeerLink:
        """A link to a machine; by a relay to the one that hosts there, which must have that key."""
        self._prepare()
        host, port = (place.host, place.port) if self._out is None else ("127.0.0.1", self._out.port)
        address = Address(f"tcp://{host}:{port}", place.key)
        return PeerLink(str(address), has_datagrams=self._out is None)

    def standby(self) -> HostLink | None:
        """Where others reach this machine, should it become the host.

        None by a relay: where that is lost, each machine would become the host of its own match.
        """
        return HostLink("tcp://0.0.0.0:*") if self._relay is None else None

    def code_at(self, place: Place) -> SessionCode:
        """The code of the machine there as the host."""
        host, port = self._relay if self._relay is not None else (place.host, place.port)
        return SessionCode(host, port, place.key, self._secret, self._relay is not None)

    def close(self) -> None:
        if self._out is not None:
            self._out.close()


class Doors(Closing):
    """Links to the machines at `places`, by number: those that are no host do not answer."""

    def __init__(
        self, dial: Callable[[Place], PeerLink], places: Mapping[int, Place], hello: Callable[[], Hello]
    ) -> None:
        self._links = {number: dial(place) for number, place in places.items()}
        self._hello, self._knock_at = hello, 0.0

    def heard(self, now: float) -> Iterator[tuple[int, Welcome]]:
        """The numbers of the machines that welcome this one; knocks each second."""
        if now >= self._knock_at:
            self._knock_at = now + KNOCK_EVERY
            for link in self._links.values():
                link.send(self._hello())
        for number, link in tuple(self._links.items()):
            for frame in link.hear(0.0):
                try:
                    message = decode(frame, FROM_HOST, most=MAX_HOST_BYTES)
                except ProtocolError:
                    continue
                if isinstance(message, Welcome):
                    yield number, message

    def take(self, number: int) -> PeerLink:
        """The link to that machine; the others are closed."""
        link = self._links.pop(number)
        self.close()
        return link

    def at(self, number: int) -> PeerLink:
        """The link to that machine."""
        return self._links[number]

    def close(self) -> None:
        for link in self._links.values():
            link.close()
        self._links = {}
