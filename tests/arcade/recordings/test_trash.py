"""Deleted recordings come back until their time is up, and a kill loses none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arcade.recordings.library import RecordingLibrary
from arcade.recordings.trash import NAME, Trash
from arcade.session.recordings.deletions import UNDO_SECONDS, Deletions
from arcade.session.worker import Worker
from tests.support.recorded import record


@pytest.fixture
def library(tmp_path: Path) -> RecordingLibrary:
    record(tmp_path / "one.replay", ticks=20)
    record(tmp_path / "two.replay", ticks=20, seed=4)
    library = RecordingLibrary(tmp_path)
    for recording in library.list()[0]:
        recording.picture.write_bytes(b"a picture")
    return library


def files(library: RecordingLibrary) -> set[str]:
    return {path.name for path in library.folder.iterdir()}


def ids(library: RecordingLibrary) -> set[str]:
    return {recording.id for recording in library.list()[0]}


def test_a_deleted_recording_is_restored_with_its_notes_and_picture(library: RecordingLibrary) -> None:
    trash, recording = Trash(library.folder), library.change(library.get("one"), name="a rally", rating=3)
    before = files(library)
    deleted = trash.put(recording)
    assert ids(library) == {"two"}
    assert files(library) == {name for name in before if not name.startswith("one")} | {NAME}
    trash.restore(deleted)
    assert files(library) == before
    assert library.get("one").card.name == "a rally"


def test_one_deleted_for_good_leaves_nothing(library: RecordingLibrary) -> None:
    trash = Trash(library.folder)
    one, two = (trash.put(library.get(word)) for word in ("one", "two"))
    trash.remove(one)
    trash.remove(two)
    assert files(library) == set()


def test_what_a_killed_window_left_is_recovered_and_what_another_one_holds_is_not(library: RecordingLibrary) -> None:
    trash = Trash(library.folder)
    lost = trash.put(library.get("one"))
    trash.put(library.get("two"))
    os.utime(lost.place, (0, 0))
    assert trash.recover() == 1
    assert ids(library) == {"one"}


def test_a_deletion_can_be_undone_until_its_time_is_up(library: RecordingLibrary) -> None:
    with Worker() as worker:
        deletions = Deletions(worker, lambda: library, say=pytest.fail)
        deletions.add(deletions.trash.put(library.get("one")))
        deletions.update(0.0)
        deletions.add(deletions.trash.put(library.get("two")))
        deletions.update(1.0)
        assert deletions.newest is not None
        assert deletions.newest.id == "two", "the newest is undone first"
        deletions.undo(lambda recording: None)
        deletions.update(UNDO_SECONDS - 1)
        assert deletions.newest is not None
        deletions.update(UNDO_SECONDS)
        worker.settle()
        assert deletions.newest is None
    assert ids(library) == {"two"}
    assert NAME not in files(library)


def test_the_end_of_the_window_ends_all_deletions(library: RecordingLibrary) -> None:
    with Worker() as worker:
        deletions = Deletions(worker, lambda: library, say=pytest.fail)
        deletions.add(deletions.trash.put(library.get("one")))
        deletions.close()
    assert ids(library) == {"two"}
    assert NAME not in files(library)
