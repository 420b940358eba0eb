"""Room for new recordings: what goes, and what never does."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from arcade.recordings.library import RecordingLibrary
from tests.support.recorded import record

LONG_AGO = 1_600_000_000


@pytest.fixture
def store(tmp_path: Path) -> RecordingLibrary:
    """Four recordings of the same size, a the oldest; b is kept."""
    first = record(tmp_path / "a.replay", ticks=5)
    for name in "bcd":
        shutil.copy(first, tmp_path / f"{name}.replay")
    for path in tmp_path.iterdir():
        os.utime(path, (LONG_AGO, LONG_AGO))
    store = RecordingLibrary(tmp_path)
    store.list()  # makes the cards
    store.change(store.get("b"), kept=True)
    return store


def gigabytes(store: RecordingLibrary, recordings: float) -> float:
    return recordings * store.get("a").card.bytes / 1e9


def ids(store: RecordingLibrary) -> list[str]:
    return [recording.id for recording in store.list()[0]]


@pytest.mark.parametrize(
    ("room", "left"), [(4.0, "dcba"), (3.9, "dcb"), (2.0, "db"), (1.0, "b"), (0.0, "b")], ids=lambda value: str(value)
)
def test_the_oldest_go_and_kept_ones_never(store: RecordingLibrary, room: float, left: str) -> None:
    before = ids(store)
    gone = store.make_room(gigabytes(store, room))
    assert ids(store) == list(left)
    assert [recording.id for recording in gone] == [id for id in reversed(before) if id not in left]
    assert {path.stem for path in store.folder.iterdir()} == set(left)


def test_what_may_still_be_written_stays(store: RecordingLibrary) -> None:
    os.utime(store.folder / "a.replay")
    store.make_room(0.0)
    assert ids(store) == ["b", "a"]


def test_what_has_no_card_stays_unread(store: RecordingLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        (store.folder / f"{name}.json").unlink()
    monkeypatch.setattr("arcade.recordings.library.read_replay", pytest.fail)
    assert [recording.id for recording in RecordingLibrary(store.folder).make_room(0.0)] == ["c", "d"]


def test_what_is_no_recording_stays(store: RecordingLibrary) -> None:
    (store.folder / "notes.replay").write_text("my notes")
    os.utime(store.folder / "notes.replay", (LONG_AGO, LONG_AGO))
    store.make_room(0.0)
    assert (store.folder / "notes.replay").read_text() == "my notes"
