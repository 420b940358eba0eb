"""What becomes of a recording on a disk that is full, slow, or refuses; the match goes on in any case."""

from __future__ import annotations

import errno
import resource
import threading
from collections.abc import Iterator
from dataclasses import replace
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any

import pytest

from agents.policies.random import RandomController
from agents.seats.controller import SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.in_process import Series, play_series
from arcade.match.play.match import Match
from arcade.match.playback import reader
from arcade.match.playback.reader import read_observations, read_replay
from arcade.match.recording import compressed_file as recording_writer
from arcade.match.recording.format import MAGIC
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from arcade.match.stage.local import LocalStage
from arcade.recordings.library import RecordingLibrary
from tests.support.counting_games import LENGTH, counting_spec
from tests.support.puppets import Puppet
from tests.support.replay_files import record_counting


@pytest.fixture
def small_disk() -> Iterator[int]:
    """No file of this process may grow beyond so many bytes meanwhile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = 40_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    yield size
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_is_full_stops_the_recording_and_not_the_match(
    tmp_path: Path, small_disk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording_writer, "HURRY_BYTES", 2**14)
    monkeypatch.setattr(
        recording_writer, "MAX_WAITING_BYTES", 2**15
    )  # so much is flushed before the rest comes, in any case
    writer = ReplayWriter(tmp_path / "a.replay", RecordingOptions(observations="always", patient=True))
    with LocalStage(find_game("house/volley")) as stage:
        mapping = {agent: RandomController() for agent in stage.agents}
        result = Match(stage, dict(mapping), seed=1, recorders=[writer]).run()
    writer.close()
    assert result.ended == "finished"
    assert "a.replay could not be written" in writer.warning
    assert writer.path.stat().st_size == small_disk
    replay = read_replay(writer.path)
    assert 0 < len(replay.actions) < result.ticks
    assert len(list(read_observations(writer.path))) == len(replay.digests)


def test_a_disk_that_stands_still_costs_observations_and_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves, put = threading.Event(), recording_writer._put

    def stalled(*arguments: Any) -> None:
        assert moves.wait(60)
        put(*arguments)

    monkeypatch.setattr(recording_writer, "_put", stalled)
    monkeypatch.setattr(recording_writer, "MAX_WAITING_BYTES", 2_500)
    writer = ReplayWriter(tmp_path / "a.replay", RecordingOptions(observations="always"))
    with LocalStage(counting_spec()) as stage:
        Match(stage, {agent: RandomController() for agent in stage.agents}, seed=3, recorders=[writer]).run()
    assert "the disk is too slow" in writer.warning
    assert writer._file.waiting_bytes <= 2 * 2_500 + 2048
    moves.set()
    writer.close()
    replay = read_replay(writer.path)
    assert (len(replay.actions), replay.damage) == (LENGTH, "")
    assert 0 < len(list(read_observations(writer.path))) < LENGTH


def test_a_disk_that_stands_still_for_long_ends_the_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves, put = threading.Event(), recording_writer._put
    monkeypatch.setattr(recording_writer, "_put", lambda *arguments: moves.wait(60) and put(*arguments))
    monkeypatch.setattr(recording_writer, "MAX_WAITING_BYTES", 500)
    writer = ReplayWriter(tmp_path / "a.replay")
    with LocalStage(counting_spec()) as stage:
        result = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=3, recorders=[writer]).run()
    assert result.ticks == LENGTH
    assert "a.replay could not be written: the disk is stalled" in writer.warning
    moves.set()
    writer.close()


def test_a_disk_that_refuses_does_not_stop_the_match(tmp_path: Path) -> None:
    path = tmp_path / "taken.replay"
    path.write_text("somebody else's")
    with LocalStage(find_game("house/volley")) as stage:
        writer = ReplayWriter(path)
        mapping = {agent: RandomController() for agent in stage.agents}
        result = Match(stage, dict(mapping), seed=1, max_ticks=60, recorders=[writer]).run()
        writer.close()
    assert result.ticks == 60
    assert "taken.replay" in writer.warning
    assert path.read_text() == "somebody else's"


def test_a_reward_that_no_record_holds_is_told_and_does_not_stop_the_match(tmp_path: Path) -> None:
    writer = ReplayWriter(tmp_path / "a.replay")
    with LocalStage(counting_spec()) as stage:
        match = Match(stage, {agent: Puppet(1) for agent in stage.agents}, seed=1, recorders=[writer])
        match.start()
        tick = stage.wait()
        writer.tick(tick, {}, 0.0)
        writer.tick(replace(tick, index=1, acting=("ann",), rewards={"ann": 1j}), {}, 0.0)
        writer.close()
    assert "a.replay could not be written: TypeError" in writer.warning


def test_a_folder_that_cannot_be_made_does_not_stop_the_match(tmp_path: Path) -> None:
    (tmp_path / "replays").write_text("a file where the folder should be")
    writer = record_counting(tmp_path / "replays" / "a.replay")
    assert "a.replay could not be written" in writer.warning


def test_a_series_that_cannot_be_recorded_is_played_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "replays").write_text("a file where the folder should be")
    spec, series = counting_spec(), Series(episodes=2, record=tmp_path / "replays")
    lineup = dict.fromkeys(spec.agents, SeatChoice("random"))
    played = play_series(spec, lineup, series, store=SnapshotStore(tmp_path / "snapshots"))
    assert [match.ended for match in played.matches] == ["finished"] * 2
    assert (len(played.warnings), played.replays) == (2, [])
    assert "could not be written: File exists" in played.as_json()["warnings"][0]


@pytest.mark.parametrize("written", [0, len(MAGIC)])
def test_a_disk_that_was_full_from_the_start_leaves_no_empty_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    def write_some(file: Any, data: bytes) -> None:
        room = written - file.tell()
        file.write(data[:room])
        if room < len(data):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(recording_writer, "_put", write_some)
    writer = record_counting(tmp_path / "a.replay")
    assert writer.warning == "a.replay could not be written: No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_what_no_replay_can_hold_does_not_stop_the_match(tmp_path: Path) -> None:
    with LocalStage(find_game("house/volley")) as stage:
        writer = ReplayWriter(tmp_path / "a.replay")
        mapping = {agent: RandomController() for agent in stage.agents}
        settings = {"odd": object()}
        result = Match(stage, dict(mapping), seed=1, max_ticks=5, recorders=[writer], settings=settings).run()
        writer.close()
    assert result.ticks == 5
    assert "a.replay could not be written: expected values that msgpack holds" in writer.warning


@pytest.mark.parametrize("good", [0, 400])
def test_a_disk_that_cannot_be_read_any_more_costs_the_rest_of_one_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good: int
) -> None:
    class Broken(FileIO):
        """Has `good` bytes and then a bad sector."""

        def readinto(self, buffer: Any) -> int:
            if self.tell() >= good:
                raise OSError(errno.EIO, "Input/output error")
            return super().readinto(memoryview(buffer)[: good - self.tell()]) or 0

    for name in ("bad", "good"):
        record_counting(tmp_path / f"{name}.replay").close()
    read, bad = reader._open, tmp_path / "bad.replay"
    monkeypatch.setattr(reader, "_open", lambda path: BufferedReader(Broken(path)) if path == bad else read(path))
    recordings, refused = RecordingLibrary(tmp_path).list()
    assert "good" in [recording.id for recording in recordings]
    said = [one.reason for one in refused] or [read_replay(bad).damage]
    assert "Input/output error" in said[0]
