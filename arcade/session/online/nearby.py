"""Finds and announces matches on the local network, in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from zeroconf import Error as ZeroconfError

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
        worker.submit(make, done=self._done, failed=self._note, errors=(OSError, ZeroconfError))

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


class Announcer(Closing):
    """Announces the match that this machine hosts, one at a time."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._code: SessionCode | None = None
        self._announcement: Background[Announcement] | None = None
        self._has_begun = False

    def announce(self, code: SessionCode, game: str, host: str, *, has_begun: bool) -> None:
        """Announce this match from now on, and that it has begun; called again and again."""
        if self._code != code:
            self.close()
        if self._announcement is None:
            self._code = code
            self._announcement = Background(self._worker, lambda: Announcement(code, game, host))
        made = self._announcement.made
        if has_begun and made is not None and not self._has_begun:
            self._has_begun = True
            self._worker.submit(made.begin, failed=lambda error: None, errors=(OSError, ZeroconfError))

    def close(self) -> None:
        if self._announcement is not None:
            self._announcement.close()
        self._code = self._announcement = None
        self._has_begun = False
