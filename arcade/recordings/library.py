"""RecordingLibrary: lists, reads, notes, deletes and prunes the recordings of a folder.

A recording is ``ID.replay`` (the match; never rewritten), ``ID.json`` (its card) and ``ID.png`` (its picture, if any).
A missing or outdated card is made from the replay; people's notes on it are kept::

    library = RecordingLibrary(folder("replays"))
    recordings, bad = library.list()                # newest first
    one = library.change(library.get("latest"), name="the long rally", rating=5, kept=True)
    replay = one.replay()
"""

from __future__ import annotations

import difflib
import glob
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from agents.errors import UserError, did_you_mean
from agents.files import locked, read_file, replace_file, set_aside
from agents.platform import NotRegularError
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay, ReplayError
from arcade.match.recording.format import SUFFIX
from arcade.recordings.card import MAX_CARD_BYTES, NOTES, RESERVED, FutureCardError, RecordingCard, read_card
from arcade.recordings.notes import NotesBook, key_of
from arcade.recordings.summary import card_of, plain

_log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Called with the number of files read so far, and of all files."""


class RecordingError(UserError):
    """An unknown recording, or an invalid name, tag or rating."""


@dataclass(frozen=True)
class Recording:
    """A recorded match and its card."""

    path: Path  # of the replay
    card: RecordingCard
    people: Mapping[str, str] = field(default_factory=dict, compare=False)  # "person 1" → name

    @property
    def id(self) -> str:
        return self.card.id

    @property
    def picture(self) -> Path:
        """The path of its picture, which may not exist."""
        return self.path.with_suffix(".png")

    def replay(self) -> Replay:
        """Read the file; raises ReplayError."""
        return read_replay(self.path)


@dataclass(frozen=True)
class UnreadableRecording:
    """A file among the recordings that can't be read here."""

    path: Path
    reason: str


class RecordingLibrary:
    """The recordings of a folder.  Threads may share a library, processes a folder; unreadable files do no harm."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notices: deque[str] = deque(maxlen=20)  # for people, about cards that were spoilt, oldest first
        self._seen: dict[str, tuple[Stamp, Recording | UnreadableRecording]] = {}
        self._copied = False  # whether the notes of all recordings are in the book

    def list(self, *, progress: Progress | None = None) -> tuple[Sequence[Recording], Sequence[UnreadableRecording]]:
        """All recordings, newest first, and the files that can't be read with the reason.

        Reads the replays that have no card yet: not for a window's own thread.  `progress` is called for each file.
        """
        found, people = self._scan(progress), NotesBook().people()
        recordings = [_with_people(one, people) for one in found if isinstance(one, Recording)]
        recordings.sort(key=_by_age, reverse=True)
        if not self._copied:
            self._copied = True
            NotesBook().add((one.path, one.card.notes) for one in recordings if one.card.is_noted)
        unreadable = (one for one in found if isinstance(one, UnreadableRecording))
        return recordings, sorted(unreadable, key=lambda bad: bad.path)

    def read(self, path: Path) -> Recording:
        """Return the recording of one file in the folder; raises RecordingError."""
        found = self._read(path)
        if isinstance(found, UnreadableRecording):
            raise RecordingError(f"expected a recording that can be read, got {path.name}: {found.reason}")
        return _with_people(found, NotesBook().people(path))

    def get(self, word: str) -> Recording:
        """Return a recording by ``latest``, its id, its name, or a unique part of its id.

        Raises RecordingError, with similar names.
        """
        if (named := self._of_id(word)) is not None:
            return named
        recordings, bad = self.list()
        if word == "latest" and recordings:
            return recordings[0]
        for found in (
            [recording for recording in recordings if recording.card.name == word != ""],
            [recording for recording in recordings if word and recording.id.startswith(word)],
            [recording for recording in recordings if word and word in recording.id],
        ):
            if len(found) == 1:
                return found[0]
            if found:
                raise RecordingError(f"expected one recording, got: {word!r}, which may be {_some(found)}")
        for one in bad:
            if one.path.stem == word:
                raise RecordingError(f"expected a recording that can be read, got {one.path.name}: {one.reason}")
        raise RecordingError(
            f"no recording named {word!r} in {self.folder}{self._near(word, recordings)}", code="not_found"
        )

    def change(self, recording: Recording, **notes: Any) -> Recording:
        """Change its card: name, tags, rating, kept, span, parent; raises RecordingError for invalid values.

        A recording that is named, tagged, rated or trimmed is also kept, unless `kept` says otherwise.
        """
        if notes.get("name"):
            self._check_free(recording, notes["name"])
        return self._change(recording, lambda card: notes)

    def _change(self, recording: Recording, make: Callable[[RecordingCard], Mapping[str, Any]]) -> Recording:
        """Change the notes that `make` returns for the card as it is now, while other changes wait."""
        current = self.read(recording.path)

        def changed(card: RecordingCard | None) -> RecordingCard:
            notes = make(card or current.card)
            wanted = any(notes.get(field) for field in ("name", "tags", "rating", "span"))
            return (card or current.card).with_notes(**{**({"kept": True} if wanted else {}), **notes})

        try:
            card = change_card(recording.path, changed, say=self._say)
            return Recording(recording.path, card, recording.people)
        except ValueError as error:
            raise RecordingError(f"{recording.id}: {error}") from error
        except OSError as error:
            why = error.strerror or error
            raise RecordingError(f"expected to write the card of {recording.id}, got: {why}") from error

    def tag(self, recording: Recording, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Recording:
        """Add and remove tags; raises RecordingError for a tag to remove that it doesn't have."""

        def tagged(card: RecordingCard) -> Mapping[str, Any]:
            if strangers := [tag for tag in remove if tag not in card.tags]:
                had = ", ".join(card.tags) or "none"
                raise RecordingError(f"expected a tag of the recording ({had}), got: {strangers[0]!r}")
            return {"tags": (*(tag for tag in card.tags if tag not in remove), *add)}

        return self._change(recording, tagged)

    def discard(self, recording: Recording) -> None:
        """Delete its files; missing ones do no harm.  Raises RecordingError where the system refuses."""
        try:
            recording.path.unlink(missing_ok=True)  # first: without it the other files are no recording
            for suffix in (".json", ".json.*", ".png"):  # also cards set aside or half-written
                for file in recording.path.parent.glob(glob.escape(recording.path.stem) + suffix):
                    file.unlink(missing_ok=True)
            NotesBook().forget(recording.path)
        except OSError as error:
            raise RecordingError(f"expected to delete {recording.id}, got: {error}") from error

    def _of_id(self, word: str) -> Recording | None:
        """The recording with that id, found without reading the others."""
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
        for number, name in enumerate(names, start=1):
            one = self._read(self.folder / name)
            if isinstance(one, Recording) or os.path.lexists(one.path):  # else it was deleted meanwhile
                found.append(one)
            if progress is not None:
                progress(number, len(names))
        return found

    def _with_cards(self) -> Iterator[Recording]:
        for path in self.folder.glob(f"*{SUFFIX}"):
            with suppress(ValueError, OSError):
                if path.is_file() and (card := _card_beside(path, self._say)) is not None:
                    yield Recording(path, card)

    def _read(self, path: Path) -> Recording | UnreadableRecording:
        known, stamp = self._seen.get(path.name), stamp_of(path)
        if known and known[0] == stamp:
            return known[1]
        try:
            found: Recording | UnreadableRecording = Recording(path, card_for(path, stamp, say=self._say))
        except (ReplayError, ValueError, OSError) as error:
            found = UnreadableRecording(path, plain(str(error), most=400))
        self._seen[path.name] = ((*stamp[:2], *stamp_of(path)[2:]), found)  # the replay may have grown meanwhile
        return found

    def _say(self, notice: str) -> None:
        _log.warning("%s", notice)
        self.notices.append(notice)

    def _check_free(self, recording: Recording, name: str) -> None:
        for other in self._scan():
            if isinstance(other, Recording) and other.path != recording.path and name in (other.id, other.card.name):
                raise RecordingError(f"expected a name that no other recording has, got: {name!r}, which is {other.id}")

    def _near(self, word: str, recordings: Sequence[Recording]) -> str:
        words = [name for recording in recordings for name in (recording.card.name, recording.id) if name]
        near = difflib.get_close_matches(word, words, n=5, cutoff=0.5)
        return did_you_mean(near) or "; list them with: arcade recordings list"

    def make_room(self, gigabytes: float) -> Sequence[Recording]:
        """Discard the oldest recordings until the others fill at most `gigabytes` (10^9 bytes); returns the discarded.

        Reads cards alone: it runs when the window opens, and a recording without a card may be anybody's.  Such
        recordings stay until they have been listed, and so do kept ones and those whose card was spoilt.
        Raises RecordingError where the system refuses a deletion.
        """
        recordings = sorted(self._with_cards(), key=_by_age, reverse=True)
        excess = sum(recording.card.bytes for recording in recordings) - gigabytes * 1e9
        discarded: list[Recording] = []
        for recording in reversed(recordings):
            if excess > 0 and not recording.card.kept and _is_old(recording) and not _was_spoilt(recording):
                self.discard(recording)
                discarded.append(recording)
                excess -= recording.card.bytes
        return discarded


def _with_people(recording: Recording, people: Mapping[str, Mapping[str, str]]) -> Recording:
    names = people.get(key_of(recording.path))
    return replace(recording, people=names) if names else recording


def _by_age(recording: Recording) -> tuple[datetime, str]:
    return recording.card.created, recording.id


def _some(recordings: Sequence[Recording]) -> str:
    names = [recording.card.title for recording in recordings[:5]]
    return ", ".join(names) + (f" and {len(recordings) - 5} more" if len(recordings) > 5 else "")


YOUNG_SECONDS = 3600.0
"""Another arcade may still write a file changed more recently."""


def _was_spoilt(recording: Recording) -> bool:
    """Whether a card was set aside, which may say that the recording is kept."""
    return any(recording.path.parent.glob(f"{glob.escape(recording.path.stem)}.json.bad*"))


def _is_old(recording: Recording) -> bool:
    try:
        return time.time() - recording.path.stat().st_mtime > YOUNG_SECONDS
    except FileNotFoundError:  # another arcade made room too
        return False


Stamp = tuple[int, int, int, int]
"""Size and time of change of the replay, then of the card (0, 0 where there is none)."""


def stamp_of(path: Path) -> Stamp:
    """A stamp that changes with the replay and its card."""
    return *_size_and_time(path), *_size_and_time(path.with_suffix(".json"))


def card_for(path: Path, stamp: Stamp, *, say: Callable[[str], None] = _log.warning) -> RecordingCard:
    """Return the card of a replay, made where it is missing, outdated or spoilt, which is said; notes are kept.

    Raises ReplayError, ValueError or OSError with the reason why the file is no recording.
    """
    if not path.is_file():
        raise ValueError(f"expected a file, got {'another kind of entry' if os.path.lexists(path) else 'none'}")
    if "\N{REPLACEMENT CHARACTER}" in plain(path.stem):
        raise ValueError("expected a name that can be shown; rename the file")
    card, stat = _card_beside(path, say), path.stat()
    size, changed, _, written = stamp
    if card and card.id == path.stem and card.bytes == size and changed <= written:
        return card
    fresh = card_of(read_replay(path), stat)
    try:
        return change_card(path, lambda old: _with_notes(path, fresh, old), say=say)
    except OSError:  # a full or read-only disk: the card is made again next time
        return _with_notes(path, fresh, card)


def span_of(path: Path) -> tuple[int, int | None]:
    """The ticks of a replay that count; all of them without a readable card."""
    try:
        return read_card(read_file(path.with_suffix(".json"), most=MAX_CARD_BYTES)).span
    except (OSError, ValueError):
        return 0, None


def change_card(
    path: Path, change: Callable[[RecordingCard | None], RecordingCard], *, say: Callable[[str], None] = _log.warning
) -> RecordingCard:
    """Replace the card of a replay by `change` of the current one (None: no card); other changes wait."""
    with locked(path.parent):
        before = _card_beside(path, say)
        card = change(before)
        replace_file(path.with_suffix(".json"), card.model_dump_json(indent=1))
        if card.is_noted or (before is not None and before.is_noted):
            NotesBook().write(path, card.model_dump(mode="json", include=set(NOTES)))
        return card


def _with_notes(path: Path, fresh: RecordingCard, old: RecordingCard | None) -> RecordingCard:
    """The fresh card with the notes of the old one, or of their copy, without a span of missing ticks."""
    notes = old.notes if old is not None else {k: v for k, v in NotesBook().read(path).items() if k in NOTES}
    try:
        return fresh.with_notes(**notes)
    except ValueError:
        try:
            return fresh.with_notes(**{**notes, "span": (0, None)})
        except ValueError:  # the copy is spoilt too
            return fresh


def _card_beside(path: Path, say: Callable[[str], None] = _log.warning) -> RecordingCard | None:
    """The card beside a replay, None for a missing or spoilt one, which is set aside; raises FutureCardError."""
    file = path.with_suffix(".json")
    try:
        return read_card(read_file(file, most=MAX_CARD_BYTES))
    except FileNotFoundError:
        return None
    except FutureCardError:
        raise
    except (ValueError, NotRegularError) as error:
        say(set_aside(file, error, what="the card of a recording", instead="its notes are taken from their copy"))
        return None


def _size_and_time(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return 0, 0
    return stat.st_size, stat.st_mtime_ns
