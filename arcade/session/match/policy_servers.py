"""PolicyServers: the addresses of remote players that seats offer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agents.wire.probe import is_served
from arcade.session.worker import Worker


class PolicyServers:
    """Those that the player added, and the usual ones at which a server answers."""

    def __init__(self, usual: Sequence[str], worker: Worker) -> None:
        self._usual, self._worker = tuple(usual), worker
        self._added: tuple[str, ...] = ()
        self._found: tuple[str, ...] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses to offer, the newest added one first."""
        return tuple(dict.fromkeys((*self._added, *self._found)))

    @property
    def suggestion(self) -> str:
        """The address that a player who adds one begins with."""
        return next(iter((*self.addresses, *self._usual)), "")

    def add(self, address: str) -> None:
        """Offer an address from now on."""
        self._added = tuple(dict.fromkeys((address, *self._added)))

    def look(self, done: Callable[[], None] = lambda: None) -> None:
        """Look in the worker which of the usual addresses answer; `done` is called where that changed."""

        def search() -> tuple[str, ...]:
            return tuple(address for address in self._usual if is_served(address))

        def finish(found: tuple[str, ...]) -> None:
            changed, self._found = found != self._found, found
            if changed:
                done()

        self._worker.submit(search, done=finish)
