"""Finds and announces matches on the local network, in the background."""

from __future__ import annotations

from collections.abc import Callable

from agents.closing import Closing
from arcade.session.worker import Worker
from arcade.together.ways.codes import SessionCode
from arcade.together.ways.nearby import Announcement, Nearby, NearbyMatch


class Background(Closing):
    """Something that the worker makes, and that is closed in the worker, also where it comes after `close`."""

    def __init__(self, worker: Worker, make: Callable[[], Closing]) -> None:
        self._worker = worker
        self.made: Closing | None = None
        self.trouble = ""  # why it cannot be made; "" where it can
        self._closed = False
        worker.submit(make, done=self._done, failed=self._note, errors=OSError)

    def _done(self, made: Closing) -> None:
        self.made = made
        if self._closed:
            self._worker.submit(made.close)

    def _note(self, error: BaseException) -> None:
        self.trouble = str(error)

    def close(self) -> None:
        made = self.made
        if made is not None and not self._closed:
            self._worker.submit(made.close)
        self._closed = True


class Finder(Background):
    """Lists the matches of others."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(worker, Nearby)

    @property
    def found(self) -> list[NearbyMatch]:
        """The matches of others, as far as they are known."""
        return getattr(self.made, "found", [])


def announcer(worker: Worker, code: SessionCode, game: str, host: str) -> Background:
    """Announces a match until it is closed."""
    return Background(worker, lambda: Announcement(code, game, host))
