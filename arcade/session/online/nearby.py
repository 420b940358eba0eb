"""Finds and announces matches on the local network, in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from agents.closing import Closing
from arcade.session.worker import Worker
from arcade.together.ways.codes import SessionCode
from arcade.together.ways.nearby import Announcement, Nearby, NearbyMatch

Made = TypeVar("Made", bound=Closing)


class Background(Closing, Generic[Made]):
    """Something that the worker makes, and that is closed in the worker, also where it comes after `close`."""

    def __init__(self, worker: Worker, make: Callable[[], Made]) -> None:
        self._worker = worker
        self.made: Made | None = None
        self.trouble = ""  # why it cannot be made; "" where it can
        self._closed = False
        worker.submit(make, done=self._done, failed=self._note, errors=OSError)

    def _done(self, made: Made) -> None:
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


class Finder(Background[Nearby]):
    """Lists the matches of others."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(worker, Nearby)

    @property
    def found(self) -> list[NearbyMatch]:
        """The matches of others, as far as they are known."""
        return self.made.found if self.made is not None else []


class Announcer(Background[Announcement]):
    """Announces a match until it is closed."""

    def __init__(self, worker: Worker, code: SessionCode, game: str, host: str) -> None:
        super().__init__(worker, lambda: Announcement(code, game, host))
        self._has_begun = False

    def begin(self) -> None:
        """The match has begun."""
        if self.made is not None and not self._has_begun:
            self._has_begun = True
            self._worker.submit(self.made.begin, failed=self._note, errors=OSError)
