"""Succession: finds the next host of a match whose host is lost, or becomes it.

Every machine listens at a port of its own, and knows those of the others.  When the host is silent, each of them knocks
at all, and the first in their order becomes the host, the others after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arcade.together.messages import Hello, Place, Player, Welcome
from arcade.together.ways.doors import Doors, Reach

LOST_AFTER = 4.0
"""Seconds of silence after which a host counts as lost."""

EACH = 3.0
"""Seconds that a machine waits for each one before it in the order."""


def order_of(places: Mapping[int, Place], lineup: Mapping[str, Player], *, host: int) -> list[int]:
    """The machines in the order in which they become the host: those with seats first."""
    seated = {player.peer for player in lineup.values()}
    return sorted((number for number in places if number != host), key=lambda number: (number not in seated, number))


class Succession:
    """Of one guest; `update` says whether it is to become the host."""

    def __init__(self, ways: Reach, hello: Callable[[], Hello]) -> None:
        self._ways, self._hello = ways, hello
        self.doors: Doors | None = None  # while the host is lost

    def update(self, now: float, silence: float, places: Mapping[int, Place], own: int) -> tuple[int, Welcome] | None:
        """The host that was found, and its welcome; None while there is none.

        `silence` of the host in seconds; `places` of all machines, of which `own` is this one.
        """
        if silence < LOST_AFTER:
            self.found()
            return None
        if self.doors is None:
            self.doors = Doors(self._ways.dial, {n: one for n, one in places.items() if n != own}, self._hello)
        return next(iter(self.doors.heard(now)), None)

    def knock(self, places: Mapping[int, Place]) -> None:
        """Look for a match that this machine was in: any of these may be its host by now."""
        self.doors = Doors(self._ways.dial, places, self._hello)

    @staticmethod
    def is_due(silence: float, order: list[int], own: int) -> bool:
        """Whether it is this machine's turn to become the host."""
        return own in order and silence >= LOST_AFTER + EACH * order.index(own)

    def found(self) -> None:
        """The host is there."""
        if self.doors is not None:
            self.doors.close()
            self.doors = None
