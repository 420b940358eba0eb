"""A torn, lost or spoilt card loses no name, tag or star, and nothing is cleaned up for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time

import pytest

from arcade.recordings.library import YOUNG_SECONDS, RecordingLibrary
from arcade.recordings.notes import FILE, NotesBook
from tests.support.recorded import record


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return RecordingLibrary(tmp_path / "replays")


@pytest.fixture
def noted(library):
    """A recording with a name, two tags and five stars."""
    record(library.folder / "one.replay")
    one = library.list()[0][0]
    return library.change(one, name="the long rally", tags=("fun", "ann"), rating=5)


def again(library):
    """The only recording, read by another process."""
    (found,), bad = RecordingLibrary(library.folder).list()
    assert not bad
    return found


def tear(card):
    card.write_bytes(card.read_bytes()[:40])


def empty(card):
    card.write_bytes(b"")


def zero(card):
    card.write_bytes(bytes(len(card.read_bytes())))


def bomb(card):
    card.write_text('{"tags": ' + "[" * 100_000)


def huge(card):
    card.write_text(card.read_text().replace('"rating": 5', '"rating": ' + "9" * 4000))


def pipe(card):
    card.unlink()
    os.mkfifo(card)


@pytest.mark.parametrize("spoil", [tear, empty, zero, bomb, huge, pipe, os.unlink])
def test_a_spoilt_card_loses_no_notes(spoil, library, noted):
    spoil(noted.path.with_suffix(".json"))
    found = again(library)
    assert found.card.notes == noted.card.notes
    assert (found.card.name, found.card.rating, found.card.kept) == ("the long rally", 5, True)


def test_a_spoilt_card_is_kept_aside_and_that_is_said(library, noted):
    card = noted.path.with_suffix(".json")
    tear(card)
    torn = card.read_bytes()
    other = RecordingLibrary(library.folder)
    other.list()
    assert card.with_name(f"{card.name}.bad").read_bytes() == torn
    (notice,) = other.notices
    assert f"it is kept as {card}.bad and its notes are taken from their copy" in notice


def test_notes_of_an_earlier_version_are_copied_once_they_are_listed(library, noted):
    (library.folder.parent / "home" / FILE).unlink()
    again(library)
    os.unlink(noted.path.with_suffix(".json"))
    assert again(library).card.notes == noted.card.notes


def test_a_spoilt_copy_costs_nothing_but_itself(library, noted):
    (library.folder.parent / "home" / FILE).write_bytes(b"no database" * 100)
    assert library.change(noted, rating=3).card.rating == 3
    assert again(library).card.rating == 3


def test_notes_in_the_copy_that_fit_no_card_are_left_out(library, noted):
    NotesBook().write(noted.path, {"rating": 99, "unknown": 1})
    os.unlink(noted.path.with_suffix(".json"))
    assert again(library).card.rating == 0


def test_a_deleted_recording_leaves_no_notes(library, noted):
    library.discard(noted)
    assert NotesBook().read(noted.path) == {}


def test_people_without_a_name_in_the_file_are_known_on_this_machine_alone(library, noted):
    before = noted.path.read_bytes()
    NotesBook().write_people(noted.path, {"person 1": "Ann"})
    assert again(library).people == RecordingLibrary(library.folder).read(noted.path).people == {"person 1": "Ann"}
    assert noted.path.read_bytes() == before
    assert b"Ann" not in noted.path.with_suffix(".json").read_bytes()
    library.discard(noted)
    assert NotesBook().people() == {}


def test_nothing_is_cleaned_up_for_a_spoilt_card(library, noted):
    (library.folder.parent / "home" / FILE).unlink()  # its notes are lost for good
    tear(noted.path.with_suffix(".json"))
    old = time.time() - 2 * YOUNG_SECONDS
    os.utime(noted.path, (old, old))
    other = RecordingLibrary(library.folder)
    other.list()  # makes another card
    assert not other.make_room(0.0)
    assert noted.path.exists()


CHANGER = """
import sys; from pathlib import Path; from arcade.recordings.library import RecordingLibrary
library = RecordingLibrary(Path(sys.argv[1]))
for number in range(8):
    library.tag(library.list()[0][0], add=[f"{sys.argv[2]}{number}"])
"""


def test_two_processes_that_tag_one_recording_lose_no_tag(library):
    record(library.folder / "one.replay")
    library.list()
    writers = [subprocess.Popen([sys.executable, "-c", CHANGER, str(library.folder), name]) for name in "ab"]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    assert set(again(library).card.tags) == {f"{name}{number}" for name in "ab" for number in range(8)}


def test_a_copy_of_the_folder_has_the_notes_in_its_cards(library, noted, tmp_path):
    shutil.copytree(library.folder, tmp_path / "elsewhere")
    assert json.loads((tmp_path / "elsewhere" / f"{noted.id}.json").read_text())["name"] == "the long rally"
    (found,), _ = RecordingLibrary(tmp_path / "elsewhere").list()
    assert found.card.notes == noted.card.notes
