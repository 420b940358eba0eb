"""Finds and announces matches on the local network, in the background."""

from __future__ import annotations

from collections.abc import Callable

from agents.closing import Closing
from arcade.session.worker import Worker
from arcade.together.codes import SessionCode
from arcade.together.nearby import Announcement, Nearby, NearbyMatch


class Background(Closing):
    """Something that the worker makes, and that is closed in the worker, also where it comes after `close`."""

    def __init__(self, worker: Worker, make: Callable[[], Closing], failed: Callable[[str], None]) -> None:
        self._worker, self._failed = worker, failed
        self.made: Closing | None = None
        self._closed = False
        worker.submit(make, done=self._done, failed=lambda error: failed(str(error)), errors=OSError)

    def _done(self, made: Closing) -> None:
        self.made = made
        if self._closed:
            self._worker.submit(made.close)

    def close(self) -> None:
        made = self.made
        if made is not None and not self._closed:
            self._worker.submit(made.close)
        self._closed = True


class Finder(Background):
    """Lists the matches of others; `trouble` is why it cannot, "" while it can."""

    def __init__(self, worker: Worker) -> None:
        self.trouble = ""

        super().__init__(worker, Nearby, self._note)

    def _note(self, trouble: str) -> None:
        self.trouble = trouble

    @property
    def found(self) -> list[NearbyMatch]:
        """The matches of others, as far as they are known."""
        return getattr(self.made, "found", [])


class Announcer(Background):
    """Announces a match."""

    def __init__(self, worker: Worker, code: SessionCode, game: str, host: str) -> None:
        self.trouble = ""

        super().__init__(worker, lambda: Announcement(code, game, host), self._note)

    def _note(self, trouble: str) -> None:
        self.trouble = trouble
