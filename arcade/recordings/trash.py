"""Trash: deleted recordings that can still be restored, in a folder beside the others."""

from __future__ import annotations

import glob
import os
import shutil
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from arcade.recordings.library import Recording, RecordingError

NAME = ".trash"
LOST_SECONDS = 60.0
"""A recording that is in the trash for longer was left there by a window that was killed."""

_making = threading.Lock()
"""Held while the folder is made or removed."""


@dataclass(frozen=True)
class Deleted:
    """A recording in the trash."""

    recording: Recording  # as it was
    place: Path  # the folder with its files


class Trash:
    """Moves the files of recordings to a folder on the same disk and back, so that a kill loses none of them::

    trash = Trash(library.folder)
    deleted = trash.put(recording)
    trash.restore(deleted)                   # or trash.remove(deleted), for good
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # of the recordings

    def put(self, recording: Recording) -> Deleted:
        """Move a recording here.  Raises RecordingError where the system refuses."""
        try:
            with _making:
                (self.folder / NAME).mkdir(exist_ok=True)
                place = Path(mkdtemp(prefix="deleted-", dir=self.folder / NAME))
            files = [recording.path, *_others(recording.path)]  # without the first the others are no recording
            for file in files:
                with suppress(FileNotFoundError):
                    os.replace(file, place / file.name)
        except OSError as error:
            raise RecordingError(f"expected to delete {recording.id}, got: {error}") from error
        return Deleted(recording, place)

    def restore(self, deleted: Deleted) -> Recording:
        """Move a recording back.  Raises RecordingError where the system refuses."""
        try:
            self._move_back(deleted.place)
        except OSError as error:
            raise RecordingError(f"expected to restore {deleted.recording.id}, got: {error}") from error
        return deleted.recording

    def remove(self, deleted: Deleted) -> None:
        """Delete a recording for good."""
        shutil.rmtree(deleted.place, ignore_errors=True)
        self._tidy()

    def recover(self) -> int:
        """Move back what a killed window left here; return the number of recordings."""
        places = (self.folder / NAME).glob("deleted-*")
        lost = [place for place in places if time.time() - place.stat().st_mtime > LOST_SECONDS]
        for place in lost:
            self._move_back(place)
        return len(lost)

    def _move_back(self, place: Path) -> None:
        for file in sorted(place.iterdir(), key=lambda file: file.suffix == ".replay"):  # the replay last
            if not (self.folder / file.name).exists():
                os.replace(file, self.folder / file.name)
        shutil.rmtree(place, ignore_errors=True)
        self._tidy()

    def _tidy(self) -> None:
        with _making, suppress(OSError):  # it holds others
            (self.folder / NAME).rmdir()


def _others(replay: Path) -> list[Path]:
    """Return card and picture, also cards that were set aside or are half-written."""
    stem = glob.escape(replay.stem)
    return [file for suffix in (".json", ".json.*", ".png") for file in replay.parent.glob(stem + suffix)]
