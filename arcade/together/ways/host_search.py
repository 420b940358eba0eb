"""HostSearch: says hello to all machines that may be the host, until one welcomes this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from agents.closing import Closing
from agents.wire.addresses import AddressError
from agents.wire.messages import ProtocolError
from arcade.together.messages import FROM_HOST, MAX_HOST_BYTES, Hello, Place, Welcome, decode
from arcade.together.ways.links import PeerLink

HELLO_EVERY = 1.0
"""Seconds between two hellos to a machine; a host that is silent so long is greeted again."""


class HostSearch(Closing):
    """Links to the machines at `places`, by number: those that are no host do not answer."""

    def __init__(
        self, dial: Callable[[Place], PeerLink], places: Mapping[int, Place], hello: Callable[[], Hello]
    ) -> None:
        self._links: dict[int, PeerLink] = {}
        for number, place in places.items():
            with suppress(AddressError):  # the host that is lost has named what is no machine
                self._links[number] = dial(place)
        self._hello, self._hello_at = hello, 0.0

    def heard(self, now: float) -> Iterator[tuple[int, Welcome]]:
        """The numbers of the machines that welcome this one; says hello each second."""
        if now >= self._hello_at:
            self._hello_at = now + HELLO_EVERY
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
