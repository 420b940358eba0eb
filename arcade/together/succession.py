"""Succession: finds the next host of a match whose host is lost, or becomes it.

Every machine listens at a port of its own, and knows those of the others.  When the host is silent, each of them says
hello to all, and the first in their order becomes the host, the others after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arcade.together.messages import Hello, Place, Player, Welcome
from arcade.together.ways.connector import Connector
from arcade.together.ways.host_search import HostSearch

LOST_AFTER = 4.0
"""Seconds of silence after which a host counts as lost."""

EACH = 3.0
"""Seconds that a machine waits for each one before it in the order."""


def order_of(places: Mapping[int, Place], lineup: Mapping[str, Player], *, host: int) -> list[int]:
    """The machines in the order in which they become the host: those with seats first."""
    seated = {player.peer for player in lineup.values()}
    return sorted((number for number in places if number != host), key=lambda number: (number not in seated, number))


class Succession:
    """Of one guest, which looks for the next host and may be it."""

    def __init__(self, connector: Connector, hello: Callable[[], Hello]) -> None:
        self._connector, self._hello = connector, hello
        self.search: HostSearch | None = None  # while the host is lost
        self._match = ""

    def look_for(self, places: Mapping[int, Place], match: str) -> None:
        """Look for the host of this machine's match, which may be at any of these places by now."""
        self._match = match
        self.search = HostSearch(self._connector.dial, places, self._hello)

    def heard(self, now: float) -> tuple[int, Welcome] | None:
        """The host that was found, and its welcome; None while there is none, and without a search."""
        found = self.search.heard(now) if self.search is not None else ()
        return next((one for one in found if one[1].match == self._match), None)

    @staticmethod
    def is_due(silence: float, order: list[int], own: int) -> bool:
        """Whether it is this machine's turn to become the host."""
        return own in order and silence >= LOST_AFTER + EACH * order.index(own)

    def stop(self) -> None:
        """End the search: the host is there."""
        if self.search is not None:
            self.search.close()
            self.search = None
