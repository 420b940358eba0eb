"""Why a file cannot be used, in the language of the player."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agents.ladder.ladder import Ladder, LadderError
from arcade import language
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import ReplayError
from arcade.match.recording.format import FAMILY
from arcade.session.player.favourites import load_shelf
from arcade.session.player.file_texts import ladder_text, warning_text
from arcade.session.recordings.recording_errors import recording_text
from arcade.session.settings import load_settings


@pytest.fixture(autouse=True)
def _german() -> Iterator[None]:
    language.use("de")
    yield
    language.use("en")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("volume = = 3", "ist ungültig und wird nicht benutzt; die Datei heißt jetzt settings.toml.bad"),
        ("loudness = 3", "hat Einträge, die diese Version nicht kennt; sie werden nicht beachtet: loudness"),
    ],
)  # fmt: skip
def test_a_warning_about_settings_is_a_sentence_in_german(tmp_path: Path, words: str, told: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(words)
    assert warning_text(load_settings(path)[1]) == f"settings.toml {told}"


def test_a_warning_about_favourites_names_the_file_that_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    path.write_text("[")
    assert warning_text(load_shelf(path)[1]).endswith("; die Datei heißt jetzt games.json.bad")
    assert warning_text("") == ""


def test_a_file_that_is_no_ladder_is_named_with_what_helps(tmp_path: Path) -> None:
    path = tmp_path / "ladder.sqlite"
    path.write_bytes(b"no ladder at all" * 100)
    with pytest.raises(LadderError) as error, Ladder(path, reading=True):
        pass
    told = ladder_text(error.value, path)
    assert told.startswith("Die Rangliste ist nicht benutzbar. Verschiebe die Datei")
    assert str(path) in told


def test_a_ladder_of_a_newer_version_asks_for_an_update(tmp_path: Path) -> None:
    path = tmp_path / "ladder.sqlite"
    Ladder(path).close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 99")
    with pytest.raises(LadderError) as error, Ladder(path):
        pass
    assert "neuere" in ladder_text(error.value, path)
    assert ladder_text(LadderError("expected a label"), path) == "expected a label", "it is not about the file"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"nothing of ours", "die Datei bad.replay ist beschädigt oder keine Aufzeichnung"),
        (None, "die Datei bad.replay lässt sich nicht öffnen"),
        (FAMILY + b"999\n", "eine neuere PettingZoo Arcade hat sie geschrieben; aktualisiere diese hier"),
    ],
)  # fmt: skip
def test_a_recording_that_cannot_be_shown_says_why(tmp_path: Path, data: bytes | None, told: str) -> None:
    path = tmp_path / "bad.replay"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ReplayError) as error:
        read_replay(path)
    assert recording_text(error.value, path) == told
