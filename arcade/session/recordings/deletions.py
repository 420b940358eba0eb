"""Deletions: recordings that were deleted in the window, and can be restored for a while."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

from agents.errors import UserError
from arcade.session.worker import Worker

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.recordings.library import Recording, RecordingLibrary
    from arcade.recordings.trash import Deleted, Trash

UNDO_SECONDS = 60.0
"""Seconds until a deletion is final."""


class Deletions:
    """Empties the trash when time is up or the window closes; `update` is called once a frame::

    worker.submit(lambda: deletions.trash.put(recording), done=deletions.add)
    deletions.undo(show)
    """

    def __init__(
        self, worker: Worker, library: Callable[[], RecordingLibrary], *, say: Callable[..., None]
    ) -> None:  # fmt: skip
        self._worker, self._library, self._say = worker, library, say
        self._deleted: list[tuple[Deleted, float | None]] = []  # the newest last; until when (None: not yet known)
        self._now = 0.0

    @property
    def newest(self) -> Recording | None:
        """The recording that `undo` restores."""
        return self._deleted[-1][0].recording if self._deleted else None

    @property
    def seconds_left(self) -> int:
        """How long `undo` can restore it."""
        until = self._deleted[-1][1] if self._deleted else 0.0
        return ceil(UNDO_SECONDS if until is None else max(0.0, until - self._now))

    @property
    def trash(self) -> Trash:
        """The files.  For the worker only."""
        from arcade.recordings.trash import Trash  # numpy takes longer to import than the title may

        return Trash(self._library().folder)

    def add(self, deleted: Deleted) -> None:
        """Take note of a recording that was put into the trash."""
        self._deleted.append((deleted, None))

    def undo(self, done: Callable[[Recording], None]) -> None:
        """Restore the recording that was deleted last."""
        if self._deleted:
            deleted, _until = self._deleted.pop()
            self._worker.submit(
                lambda: self.trash.restore(deleted), done=done, failed=lambda error: self._say(str(error)),
                errors=UserError,
            )  # fmt: skip

    def update(self, now: float) -> None:
        """Delete for good what was in the trash for long enough at `now`, in seconds."""
        self._now = now
        self._deleted = [(one, now + UNDO_SECONDS if until is None else until) for one, until in self._deleted]
        while self._deleted and (self._deleted[0][1] or 0.0) <= now:
            self._remove(self._deleted.pop(0)[0])

    def close(self) -> None:
        """Delete the rest for good."""
        for deleted, _until in self._deleted:
            self._remove(deleted)
        self._deleted = []

    def _remove(self, deleted: Deleted) -> None:
        self._worker.submit(lambda: self.trash.remove(deleted))
