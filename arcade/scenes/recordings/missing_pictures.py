"""MissingPictures: has the pictures of recordings drawn that were made without a window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from arcade.language import _, present
from arcade.recordings.library import Recording
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.session.jobs import ChildJob, Jobs

MOST_AT_ONCE = 6
"""Recordings of one process; those on the screen by then are the next."""

MOST_TICKS = 20_000
"""Ticks that are played again for a picture."""


class DrawingJob(ChildJob):
    """Draws some recordings, one after the other."""

    def __init__(self, recordings: Sequence[Recording], palette: str) -> None:
        self.title = _("Pictures of recordings")
        self._wanted = [recording.path for recording in recordings]
        self.drawn: list[Path] = []  # and those that cannot be
        order = [(str(one.path), min(one.card.ticks_that_count[1], MOST_TICKS)) for one in recordings]
        super().__init__("arcade.scenes.recordings", [order, palette, present()])

    @property
    def progress(self) -> float:
        return len(self.drawn) / len(self._wanted)

    @property
    def text(self) -> str:
        return self.left_text

    def is_waiting(self, path: Path) -> bool:
        """Whether the picture of that recording is still to come."""
        return not self.done and path in self._wanted and path not in self.drawn

    def handle(self, message: object) -> None:
        if isinstance(message, str):
            self.drawn.append(Path(message))


class MissingPictures:
    """Draws a few recordings at a time in a process of low priority, each once.  `update` once a frame, then `close`.

    `thumbnails` say which pictures were looked for and are not there.
    """

    def __init__(self, thumbnails: Thumbnails, jobs: Jobs) -> None:
        self._thumbnails, self._jobs = thumbnails, jobs
        self._tried: set[Path] = set()  # pictures
        self._job: DrawingJob | None = None
        self._shown = 0  # of its pictures

    def update(self, recordings: Iterable[Recording], palette: str) -> None:
        """Show new pictures, and begin those of `recordings` that have none, the first ones first."""
        job = self._job
        if job is not None and len(job.drawn) != self._shown:
            self._shown = len(job.drawn)
            self._thumbnails.forget()
        if (job is not None and not job.done) or self._thumbnails.is_reading:
            return
        self._job = None
        missing = self._thumbnails.missing - self._tried
        wanted = list(islice((one for one in recordings if one.picture in missing), MOST_AT_ONCE)) if missing else []
        if wanted:
            self._tried.update(one.picture for one in wanted)
            self._job, self._shown = DrawingJob(wanted, palette), 0
            self._jobs.add(self._job, passing=True)

    def is_waiting(self, recording: Recording) -> bool:
        """Whether the picture of a recording is being made."""
        return self._job is not None and self._job.is_waiting(recording.path)

    def close(self) -> None:
        """End the process; can be called twice."""
        if self._job is not None:
            self._job.cancel()
