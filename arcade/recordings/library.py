"""Takes: recorded matches as people keep them, in one folder.

A take is ``ID.replay`` (the match; never rewritten), ``ID.json`` (its card) and ``ID.png`` (its picture, if any).
The card is made by reading the replay where it is missing or older; what people said of the take is kept then::

    store = RecordingLibrary(folder("replays"))
    takes, bad = store.list()                       # newest first
    take = store.change(store.get("latest"), name="the long rally", rating=5, kept=True)
    replay = take.replay()
"""

from __future__ import annotations

import difflib
import glob
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import UserError
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay, ReplayError
from arcade.match.recording.format import SUFFIX
from arcade.recordings.card import RESERVED, RecordingCard
from arcade.recordings.card_files import Stamp, card_for, change_card, stamp_of
from arcade.recordings.summary import plain

Progress = Callable[[int, int], None]
"""Told how many files are read, of how many."""


class RecordingError(UserError):
    """No such take, or words that no take can have."""


@dataclass(frozen=True)
class Recording:
    """A recorded match and its card."""

    path: Path  # of the replay
    card: RecordingCard

    @property
    def id(self) -> str:
        return self.card.id

    @property
    def picture(self) -> Path:
        """Where its picture is, if there is one."""
        return self.path.with_suffix(".png")

    def replay(self) -> Replay:
        """Read it; raises ReplayError where that cannot be."""
        return read_replay(self.path)


@dataclass(frozen=True)
class UnreadableRecording:
    """A file that stands among the takes and is none that can be read here."""

    path: Path
    reason: str


class RecordingLibrary:
    """The takes of a folder.  Bad files are never in the way; threads may share a store, processes a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[str, tuple[Stamp, Recording | UnreadableRecording]] = {}

    def list(self, *, progress: Progress | None = None) -> tuple[Sequence[Recording], Sequence[UnreadableRecording]]:
        """All takes, newest first, and the files that are none with the reason.

        Reads the replays that have no card yet: not for a window's own thread.  `progress` is told of each file.
        """
        found = self._scan(progress)
        takes = [one for one in found if isinstance(one, Recording)]
        takes.sort(key=lambda take: (take.card.created, take.id), reverse=True)
        return takes, sorted((one for one in found if isinstance(one, UnreadableRecording)), key=lambda bad: bad.path)

    def read(self, path: Path) -> Recording:
        """The take of one file of the folder, its card made where it has none; raises RecordingError."""
        found = self._read(path)
        if isinstance(found, UnreadableRecording):
            raise RecordingError(f"expected a take that can be read, got {path.name}: {found.reason}")
        return found

    def get(self, word: str) -> Recording:
        """The take that `word` means: ``latest``, an id, a name, or a part that only one id begins with or has.

        Raises RecordingError with near ones.
        """
        if (named := self._of_id(word)) is not None:
            return named
        takes, bad = self.list()
        if word == "latest" and takes:
            return takes[0]
        for found in (
            [take for take in takes if take.card.name == word != ""],
            [take for take in takes if word and take.id.startswith(word)],
            [take for take in takes if word and word in take.id],
        ):
            if len(found) == 1:
                return found[0]
            if found:
                raise RecordingError(f"expected one take, got: {word!r}, which may be {_some(found)}")
        for one in bad:
            if one.path.stem == word:
                raise RecordingError(f"expected a take that can be read, got {one.path.name}: {one.reason}")
        raise RecordingError(f"expected a take, got: {word!r}; {self._near(word, takes)}")

    def change(self, take: Recording, **said: Any) -> Recording:
        """Change words of its card: name, tags, rating, kept, span, parent; raises RecordingError for what cannot be.

        Whoever names, tags, rates or trims a take keeps it, unless `kept` says otherwise.
        """
        wanted = any(said.get(field) for field in ("name", "tags", "rating", "span"))
        current = self.read(take.path)
        if said.get("name"):
            self._check_free(current, said["name"])
        try:
            said = {**({"kept": True} if wanted else {}), **said}
            return Recording(take.path, change_card(take.path, lambda card: (card or current.card).with_said(**said)))
        except (ValueError, OSError) as error:
            raise RecordingError(f"{take.id}: {error}") from error

    def trim(self, take: Recording, start: int, end: int | None) -> Recording:
        """Only the ticks from `start` to `end` (None: the last) count from now on; the replay stays whole."""
        return self.change(take, span=(start, end))

    def discard(self, take: Recording) -> None:
        """Delete its files; gone ones do no harm.  Raises RecordingError where the system does not let go of them."""
        try:
            take.path.unlink(missing_ok=True)  # without it the others are no take
            for suffix in (".json", ".json.*", ".png"):  # cards also that were set aside or half-written
                for file in take.path.parent.glob(glob.escape(take.path.stem) + suffix):
                    file.unlink(missing_ok=True)
        except OSError as error:
            raise RecordingError(f"expected to delete {take.id}, got: {error}") from error

    def _of_id(self, word: str) -> Recording | None:
        """That very take, without a look at all the others; None where `word` is no id, or not a take's."""
        path = self.folder / f"{word}{SUFFIX}"
        if word in RESERVED or path.name != f"{word}{SUFFIX}" or not os.path.isfile(path):
            return None
        found = self._read(path)
        return found if isinstance(found, Recording) else None

    def _scan(self, progress: Progress | None = None) -> Sequence[Recording | UnreadableRecording]:
        try:
            with os.scandir(self.folder) as entries:
                names = {entry.name for entry in entries if entry.name.endswith(SUFFIX)}
        except FileNotFoundError:
            names = set()
        for gone in [name for name in list(self._seen) if name not in names]:  # another thread may add some
            self._seen.pop(gone, None)
        found: list[Recording | UnreadableRecording] = []
        for name in names:
            found.append(self._read(self.folder / name))
            if progress is not None:
                progress(len(found), len(names))
        return found

    def _read(self, path: Path) -> Recording | UnreadableRecording:
        known, stamp = self._seen.get(path.name), stamp_of(path)
        if known and known[0] == stamp:
            return known[1]
        try:
            found: Recording | UnreadableRecording = Recording(path, card_for(path, stamp))
        except (ReplayError, ValueError, OSError) as error:
            found = UnreadableRecording(path, plain(str(error), most=400))
        self._seen[path.name] = ((*stamp[:2], *stamp_of(path)[2:]), found)  # the replay may have grown meanwhile
        return found

    def _check_free(self, take: Recording, name: str) -> None:
        for other in self._scan():
            if isinstance(other, Recording) and other.path != take.path and name in (other.id, other.card.name):
                raise RecordingError(f"expected a name that no other take has, got: {name!r}, which is {other.id}")

    def _near(self, word: str, takes: Sequence[Recording]) -> str:
        words = [name for take in takes for name in (take.card.name, take.id) if name]
        near = difflib.get_close_matches(word, words, n=5, cutoff=0.5)
        if near:
            return f"did you mean {' or '.join(near)}?"
        return f"there is {_some(takes)}" if takes else f"there is none in {self.folder}"


def _some(takes: Sequence[Recording]) -> str:
    names = [take.card.title for take in takes[:5]]
    return ", ".join(names) + (f" and {len(takes) - 5} more" if len(takes) > 5 else "")
