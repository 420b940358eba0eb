"""Recordings: cards made of real recordings, words of people on them, and files that are none."""

from __future__ import annotations

import errno
import json
import os
import shutil
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import zstandard

from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay
from arcade.recordings import library
from arcade.recordings.card import RecordingCard
from arcade.recordings.library import RecordingError, RecordingLibrary
from tests.support.recorded import Fingers, machine, record


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ann against a machine, for 40 ticks of volley."""
    return record(tmp_path_factory.mktemp("one") / "a.replay", {"left_0": Fingers("Ann")})


@pytest.fixture
def folder(tmp_path: Path, recording: Path) -> Path:
    """Three recordings of the same match."""
    for name in ("alpha", "beta", "betty"):
        shutil.copy(recording, tmp_path / f"{name}.replay")
    return tmp_path


def delete_all(folder: Path) -> None:
    for path in folder.glob("*.replay"):
        path.unlink()


def without_end(recording: Path) -> bytes:
    """The recording as a kill leaves it: its last record is torn."""
    data = recording.read_bytes()
    magic, _, frame = data.partition(b"\n")
    records = zstandard.ZstdDecompressor().decompressobj().decompress(frame)
    return magic + b"\n" + zstandard.ZstdCompressor().compress(records[:-30])


def test_a_card_tells_who_played_and_how_it_went(folder: Path) -> None:
    found, bad = RecordingLibrary(folder).list()
    assert [recording.id for recording in found] == ["betty", "beta", "alpha"]
    assert not bad
    card = found[0].card
    assert (card.game, card.seed, card.ticks, card.ended, card.damage) == ("house/volley", 3, 40, "max_ticks", "")
    assert card.lineup == {"left_0": "Ann", "right_0": "random"}
    assert card.people == {"left_0": "Ann"}
    assert card.kinds == {"left_0": "keyboard", "right_0": "random"}
    assert (card.outcome("left_0"), card.outcome("right_0")) == ("draw", "draw")
    assert card.seconds == pytest.approx(40 / 60)  # of play, however quickly it was played
    assert card.exact
    assert card.bytes == (folder / "betty.replay").stat().st_size
    replay = found[0].replay()
    assert len(replay.actions) == card.ticks
    assert card.returns == {agent: sum(tick.get(agent, 0.0) for tick in replay.rewards) for agent in card.lineup}


def test_points_and_outcomes_are_those_of_the_match(tmp_path: Path) -> None:
    path = record(tmp_path / "a.replay", game="classic/tictactoe_v3", seed=5, ticks=20)
    card = RecordingLibrary(tmp_path).read(path).card
    assert card.ended == "finished"
    winners = [agent for agent, total in card.returns.items() if total > 0]
    assert [agent for agent in card.lineup if card.outcome(agent) == "win"] == winners != []
    assert card.points == (card.ticks,)


def test_people_who_gave_no_name_have_none(tmp_path: Path) -> None:
    path = record(tmp_path / "a.replay", {"left_0": Fingers("Ann", agreed=False)})
    card = RecordingLibrary(tmp_path).read(path).card
    assert card.people == {"left_0": ""}
    assert "Ann" not in path.with_suffix(".json").read_text()


def test_a_seat_that_changed_hands_is_told_of_by_who_had_it_longest(tmp_path: Path) -> None:
    people = {10: Fingers("Ann"), 18: machine("volley-6"), 30: Fingers("Ann"), 32: machine("volley-6")}
    path = record(tmp_path / "a.replay", {"left_0": machine("volley-6")}, takeovers=people)
    card = RecordingLibrary(tmp_path).read(path).card
    assert card.lineup["left_0"] == "volley-6"
    assert card.people == {}
    assert [(agent, end - start) for agent, start, end in card.takeovers] == [("left_0", 8), ("left_0", 2)]


def test_who_came_late_and_stayed_is_the_one_who_played(tmp_path: Path) -> None:
    path = record(tmp_path / "a.replay", {"left_0": machine("volley-6")}, takeovers={5: Fingers("Ann")})
    card = RecordingLibrary(tmp_path).read(path).card
    assert (card.lineup["left_0"], card.kinds["left_0"], card.people) == ("Ann", "keyboard", {"left_0": "Ann"})


def test_words_of_people_stay_on_the_card(folder: Path) -> None:
    store = RecordingLibrary(folder)
    recording = store.change(store.get("beta"), name="the long rally", tags=("good", "rally", "good"), rating=5)
    store.change(recording, span=(10, 30))
    card = RecordingLibrary(folder).get("the long rally").card
    assert (card.id, card.tags, card.rating, card.span) == ("beta", ("good", "rally"), 5, (10, 30))
    assert card.kept  # whoever names a recording wants it
    assert not store.change(recording, kept=False).card.kept


@pytest.mark.parametrize(
    "said",
    [
        {"name": "../../etc/passwd"},
        {"name": "C:\\windows"},
        {"name": ".."},
        {"name": "-rf"},
        {"name": "two\nlines"},
        {"name": "x" * 61},
        {"name": "latest"},
        {"name": "alpha"},  # that is another recording's id
        {"name": "taken"},
        {"tags": ("../up",)},
        {"tags": ("two words",)},
        {"rating": 6},
        {"span": (30, 10)},
        {"span": (0, 41)},
        {"span": (40, None)},
        {"id": "other"},
    ],
)
def test_what_no_recording_can_have_is_refused_and_nothing_changes(folder: Path, said: dict[str, object]) -> None:
    store = RecordingLibrary(folder)
    store.change(store.get("betty"), name="taken")
    before, files = store.get("beta"), sorted(os.listdir(folder))
    with pytest.raises(RecordingError, match=r"expected|less than"):
        store.change(before, **said)
    assert RecordingLibrary(folder).get("beta") == before
    assert sorted(os.listdir(folder)) == files


def test_takes_are_found_by_words(folder: Path) -> None:
    store = RecordingLibrary(folder)
    store.change(store.get("alpha"), name="beta blocker")
    assert store.get("latest").id == "betty"
    assert store.get("beta").id == "beta"  # an id goes before what begins so
    assert store.get("bett").id == "betty"
    assert store.get("lph").id == "alpha"
    assert store.get("beta blocker").id == "alpha"
    with pytest.raises(RecordingError, match="may be betty, beta"):
        store.get("bet")
    with pytest.raises(RecordingError, match="did you mean alpha"):
        store.get("alpah")
    with pytest.raises(RecordingError, match="list them with: arcade recordings list"):
        store.get("")
    with pytest.raises(RecordingError, match="no recording named 'latest'"):
        RecordingLibrary(folder / "nowhere").get("latest")


def test_an_id_is_looked_up_without_reading_all_the_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = RecordingLibrary(folder)
    shutil.copy(folder / "alpha.replay", folder.parent / "outside.replay")
    for word in ("../outside", str(folder / "alpha"), "x" * 5000, "a\0b"):
        with pytest.raises(RecordingError, match="no recording named"):
            store.get(word)
    monkeypatch.setattr(store, "_scan", None)
    assert store.get("alpha").id == "alpha"


def test_files_that_are_no_recordings_are_named_and_not_in_the_way(folder: Path, recording: Path) -> None:
    whole = recording.read_bytes()
    (folder / "empty.replay").write_bytes(b"")
    (folder / "foreign.replay").write_bytes(b"\x89PNG and so on")
    (folder / "future.replay").write_bytes(whole.replace(b"replay 2", b"replay 9"))
    (folder / "folder.replay").mkdir()
    (folder / "gone.replay").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe.replay")
    shutil.copy(recording, os.fsencode(folder) + b"/latin\xff.replay")
    told: list[tuple[int, int]] = []
    found, bad = RecordingLibrary(folder).list(progress=lambda *far: told.append(far))
    assert told == [(place, 10) for place in range(1, 11)]
    assert {recording.id for recording in found} == {"alpha", "beta", "betty"}
    reasons = {os.fsencode(one.path.name): one.reason for one in bad}
    assert len(reasons) == 7
    assert all("expected" in reason for reason in reasons.values())
    assert "version 9" in reasons[b"future.replay"]
    with pytest.raises(RecordingError, match=r"foreign\.replay: expected"):
        RecordingLibrary(folder).get("foreign")


def test_a_recording_that_is_deleted_while_the_folder_is_read_is_not_listed(folder: Path) -> None:
    assert len(list(folder.glob("*.replay"))) > 1
    library = RecordingLibrary(folder)
    recordings, bad = library.list(progress=lambda *_: delete_all(folder))
    assert len(recordings) == 1
    assert bad == []
    with pytest.raises(RecordingError, match="expected a file, got none"):
        library.read(recordings[0].path)


def test_a_recording_that_was_cut_off_is_listed_and_says_so(folder: Path, recording: Path) -> None:
    (folder / "cut.replay").write_bytes(without_end(recording))
    card = RecordingLibrary(folder).get("cut").card
    assert card.damage
    assert card.ended == ""
    assert card.lineup == {"left_0": "Ann", "right_0": "random"}
    assert card.outcome("left_0") == ""


def test_a_file_that_goes_on_gets_another_card_and_keeps_what_people_said(folder: Path, recording: Path) -> None:
    path = folder / "live.replay"
    path.write_bytes(without_end(recording))
    store = RecordingLibrary(folder)
    store.change(store.get("live"), rating=4)
    shutil.copy(recording, path)
    card = store.get("live").card
    assert (card.ticks, card.damage, card.rating) == (40, "", 4)


def test_a_file_that_grew_while_it_was_read_is_read_again(
    folder: Path, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "live.replay"
    path.write_bytes(without_end(recording))

    def read_and_grow(path: Path) -> Replay:
        replay = read_replay(path)
        shutil.copy(recording, path)
        return replay

    store = RecordingLibrary(folder)
    with monkeypatch.context() as patched:
        patched.setattr(library, "read_replay", read_and_grow)
        assert store.read(path).card.damage
    assert not store.read(path).card.damage
    assert not RecordingLibrary(folder).read(path).card.damage


def test_a_recording_that_somebody_edited_is_read_again(folder: Path) -> None:
    store, path = RecordingLibrary(folder), folder / "beta.replay"
    store.list()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    later = time.time() + 60
    os.utime(path, (later, later))
    for one in (store, RecordingLibrary(folder)):
        whole = [recording.id for recording in one.list()[0] if not recording.card.damage]
        assert sorted(whole) == ["alpha", "betty"]


def test_a_card_that_cannot_be_used_is_kept_aside_and_made_again(folder: Path) -> None:
    store = RecordingLibrary(folder)
    store.change(store.get("beta"), name="mine")
    (folder / "beta.json").write_text('{"format": 1, "name": "min')
    assert RecordingLibrary(folder).get("beta").card.ticks == 40
    assert "min" in (folder / "beta.json.bad").read_text()


def test_a_card_of_a_newer_arcade_is_left_as_it_is(folder: Path) -> None:
    RecordingLibrary(folder).list()
    newer = json.dumps({"format": 2, "mood": "good"})
    (folder / "beta.json").write_text(newer)
    found, bad = RecordingLibrary(folder).list()
    assert [recording.id for recording in found] == ["betty", "alpha"]
    assert "format 2" in bad[0].reason or "got: 2" in bad[0].reason
    assert (folder / "beta.json").read_text() == newer


def test_a_card_that_was_carried_to_another_file_is_made_again(folder: Path) -> None:
    RecordingLibrary(folder).list()
    shutil.copy(folder / "beta.json", folder / "alpha.json")
    assert RecordingLibrary(folder).get("alpha").id == "alpha"


def test_where_no_card_can_be_written_recordings_are_listed_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(library, "replace_file", full)
    store = RecordingLibrary(folder)
    assert [recording.card.ticks for recording in store.list()[0]] == [40, 40, 40]
    with pytest.raises(RecordingError, match="expected to write the card of beta, got: No space left"):
        store.change(store.get("beta"), rating=3)
    monkeypatch.undo()
    assert store.change(store.get("beta"), rating=3).card.rating == 3


def test_a_discarded_recording_leaves_nothing(folder: Path) -> None:
    store = RecordingLibrary(folder)
    recording = store.get("beta")
    recording.picture.write_bytes(b"picture")
    (folder / "beta.json.bad").write_text("an older card")
    (folder / "beta.jsonl").write_text("no file of ours")
    store.discard(recording)
    store.discard(recording)
    assert [name for name in os.listdir(folder) if name.startswith("beta.")] == ["beta.jsonl"]
    assert len(store.list()[0]) == 2


def test_two_threads_lose_none_of_what_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each waits a little, behind the reading of the card, for the other to have read it as well."""
    store = RecordingLibrary(folder)
    recording, read, both = store.get("beta"), library._card_beside, threading.Barrier(2)

    def read_and_wait(path: Path, *rest: Any) -> RecordingCard | None:
        card = read(path, *rest)
        with suppress(threading.BrokenBarrierError):
            both.wait(0.2)
        return card

    monkeypatch.setattr(library, "_card_beside", read_and_wait)
    threads = [
        threading.Thread(target=store.change, args=(recording,), kwargs=said) for said in ({"name": "n"}, {"rating": 3})
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    monkeypatch.undo()
    card = RecordingLibrary(folder).get("beta").card
    assert (card.name, card.rating) == ("n", 3)


@pytest.mark.parametrize("words", ["a\x1b[2Jb", "two\nlines", "x" * 201])
def test_what_somebody_wrote_into_a_card_never_reaches_the_terminal(folder: Path, words: str) -> None:
    RecordingLibrary(folder).list()
    card = json.loads((folder / "beta.json").read_text())
    for lineup in ({"left_0": words, "right_0": "random"}, {words: "Ann", "right_0": "random"}):
        (folder / "beta.json").write_text(json.dumps({**card, "lineup": lineup}))
        assert RecordingLibrary(folder).get("beta").card.lineup == {"left_0": "Ann", "right_0": "random"}


@pytest.mark.parametrize("year", ["0001", "9999"])
def test_a_card_of_a_time_that_cannot_be_told_everywhere_is_made_again(year: str, tmp_path: Path) -> None:
    path = record(tmp_path / "one.replay")
    card = RecordingLibrary(tmp_path).read(path).card
    told = json.loads(card.model_dump_json())
    path.with_suffix(".json").write_text(json.dumps({**told, "created": year + told["created"][4:]}))
    assert RecordingLibrary(tmp_path).read(path).card.created == card.created
    assert path.with_name("one.json.bad").exists()
