"""Replays: recorded, cut off, damaged, verified."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

import arcade.match.playback.reader as replay_module
from agents.policies.random import RandomController
from agents.records import pack_record
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.playback.reader import read_observations, read_replay
from arcade.match.playback.replay import ReplayController, ReplayError
from arcade.match.playback.verify import verify
from arcade.match.recording.format import FAMILY, MAGIC
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.local import LocalStage
from tests.support.replay_files import head, record_counting, records_of, tick, write_records

TICKS = 60
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


def record(path: Path, game: str = "house/volley", seed: int = 11, *, render: bool = False) -> Path:
    with LocalStage(find_game(game), render=render) as stage:
        writer = ReplayWriter(path)
        mapping = {agent: RandomController() for agent in stage.agents}
        Match(stage, dict(mapping), seed=seed, max_ticks=TICKS, recorders=[writer]).run()
        writer.close()
    return path


@pytest.mark.parametrize(
    "game", ["house/volley", "classic/connect_four_v3", "butterfly/pistonball_v6", "atari/pong_v3", "mpe/simple_tag_v3"]
)
def test_a_replay_verifies(tmp_path: Path, game: str) -> None:
    replay = read_replay(record(tmp_path / "a.replay", game))
    verdict = verify(replay)
    assert verdict.ok
    assert verdict.ticks == len(replay.actions) > 0
    assert replay.result is not None
    assert replay.result["ticks"] == verdict.ticks
    assert replay.head["versions"]["pettingzoo"]


@pytest.mark.parametrize("game", ["butterfly/pistonball_v6", "butterfly/cooperative_pong_v6"])
def test_a_game_that_shows_its_seats_the_screen_verifies_as_a_window_played_it(tmp_path: Path, game: str) -> None:
    verdict = verify(read_replay(record(tmp_path / "a.replay", game, render=True)))
    assert verdict.ok
    assert verdict.ticks > 0


def test_a_game_that_was_made_for_people_is_made_so_again(tmp_path: Path) -> None:
    spec = find_game("mpe/simple_push_v3")
    with LocalStage(spec.for_people()) as stage:
        writer = ReplayWriter(tmp_path / "a.replay")
        result = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=1, max_ticks=40,
                       recorders=[writer]).run()  # fmt: skip
        writer.close()
    replay = read_replay(writer.path)
    assert verify(replay).ok
    assert len(replay.actions) == result.ticks == 40
    assert replay.for_people
    assert not read_replay(record(tmp_path / "b.replay", spec.id)).for_people


def test_a_replay_shows_the_same_match_through_its_controllers(tmp_path: Path) -> None:
    replay = read_replay(record(tmp_path / "a.replay"))
    with LocalStage(replay.spec()) as stage:
        mapping = {agent: ReplayController(replay, agent) for agent in stage.agents}
        result = Match(stage, dict(mapping), seed=replay.seed, max_ticks=len(replay.actions)).run()
    assert replay.result is not None
    assert result.returns == replay.result["returns"]
    assert result.lineup == replay.result["lineup"]


def test_changed_actions_are_found_at_their_tick(tmp_path: Path) -> None:
    replay = read_replay(record(tmp_path / "a.replay"))
    for actions in replay.actions[20:]:  # walk the other way: one tick of it alone may make no difference
        actions["left_0"] = actions["left_0"] // 3 * 3 + (actions["left_0"] + 1) % 3
    verdict = verify(replay)
    assert not verdict.ok
    assert verdict.differs_at is not None
    assert 21 <= verdict.differs_at <= 25


def test_a_file_cut_off_anywhere_reads_up_to_its_last_flushed_tick(tmp_path: Path) -> None:
    records = records_of(record(tmp_path / "a.replay"))
    whole = write_records(tmp_path / "whole.replay", records).read_bytes()
    cut, ticks = tmp_path / "cut.replay", []
    for size in range(len(whole) - 1, len(whole) // 3, -7):
        cut.write_bytes(whole[:size])
        replay = read_replay(cut)
        assert replay.damage or replay.result
        assert len(replay.actions) == len(replay.digests) - 1 == len(replay.times) - 1
        ticks.append(len(replay.actions))
    assert ticks == sorted(ticks, reverse=True)
    assert ticks[0] == TICKS
    assert 0 < ticks[-1] < TICKS // 2
    verdict = verify(replay)
    assert not verdict.ok  # it says that the end is missing
    assert verdict.differs_at is None


def test_a_recording_that_was_closed_before_the_match_ended_lacks_its_end_alone(tmp_path: Path) -> None:
    records = records_of(record(tmp_path / "a.replay"))
    replay = read_replay(write_records(tmp_path / "closed.replay", records[:-1]))
    assert (len(replay.actions), replay.damage) == (TICKS, "expected the end of the match, got the end of the file")


def test_a_file_cut_off_behind_a_flush_reads_all_that_was_flushed(tmp_path: Path) -> None:
    frame, path = zstandard.ZstdCompressor().compressobj(), tmp_path / "cut.replay"
    data = MAGIC
    for index in range(20):
        record = head() if index == 0 else tick(index - 1, [("left_0", index % 6)] if index > 1 else ())
        data += frame.compress(pack_record(record)) + frame.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
        path.write_bytes(data)
        if index:
            assert len(read_replay(path).actions) == index - 1


@pytest.mark.parametrize("damage", ["cut", "flipped", "swapped"])
def test_whatever_happens_to_a_file_the_reader_names_it_and_no_more(tmp_path: Path, damage: str) -> None:
    records = records_of(record_counting(tmp_path / "a.replay").path)
    whole = write_records(tmp_path / "whole.replay", records).read_bytes()
    rng, path, said = np.random.default_rng(4), tmp_path / "b.replay", 0
    for _ in range(150):
        data, at = bytearray(whole), int(rng.integers(len(whole)))
        if damage == "cut":
            del data[at:]
        elif damage == "flipped":
            data[at] ^= int(rng.integers(1, 256))
        else:
            other = int(rng.integers(len(whole)))
            data[at : at + 16], data[other : other + 16] = data[other : other + 16], data[at : at + 16]
        path.write_bytes(data)
        said += bool(told(path))
    assert said > 100  # the rest hit what no reader looks at, or was the same byte


def told(path: Path) -> str:
    """What reading the file says of its damage, as no replay or as one that ends early."""
    try:
        replay = read_replay(path)
    except ReplayError as error:
        return str(error) if path.name in str(error) else ""
    assert len(list(read_observations(path))) in (0, len(replay.digests))
    return replay.damage


def test_what_stands_in_a_record_is_checked_before_it_is_used(tmp_path: Path) -> None:
    """Records that are whole and make no sense: the reading ends before each, or goes on where nothing hangs on it."""
    records = records_of(record_counting(tmp_path / "a.replay").path)
    rng, path = np.random.default_rng(5), tmp_path / "b.replay"
    odd = [
        None,
        -1,
        2**63,
        "x" * 99,
        b"\xff",
        [],
        {},
        [[]],
        [["ann"]],
        [[[], 1]],
        float("nan"),
        np.zeros(3),
        [0, b"", []],
    ]
    for _ in range(200):
        changed = [list(each) for each in records]
        one = changed[int(rng.integers(len(changed)))]
        one[int(rng.integers(len(one)))] = odd[int(rng.integers(len(odd)))]
        write_records(path, changed)
        with suppress(ReplayError):
            replay = read_replay(path)
            assert len(list(read_observations(path))) <= len(replay.digests)


@pytest.mark.parametrize("record", [head(filler=b"\0" * 2**21), tick(0), ["rewind", 0], ["layout", []]])
def test_a_bomb_is_no_more_than_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: Any) -> None:
    monkeypatch.setattr(replay_module, "MAX_KEPT_BYTES", 2**20)
    start = [head(), tick(0)] if record[0] != "head" else []
    packed = pack_record(record)
    path = write_records(tmp_path / "a.replay", [*start, *[packed] * (2**20 // len(packed) + 1)], flush_every=10**9)
    assert path.stat().st_size < 2**16
    assert "expected" in told(path)


@pytest.mark.parametrize("data", [b"", b"PNG", MAGIC, MAGIC + b"\xff" * 64, FAMILY, FAMILY + b"two\n"])
def test_what_is_no_replay_is_refused_by_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "holiday.replay"
    path.write_bytes(data)
    for read in (read_replay, lambda path: list(read_observations(path))):
        with pytest.raises(ReplayError, match=r"holiday\.replay"):
            read(path)


def test_what_stands_behind_the_end_is_not_looked_at(tmp_path: Path) -> None:
    path = record_counting(tmp_path / "a.replay").path
    with path.open("ab") as file:
        file.write(b"more" * 99)
    assert read_replay(path).damage == ""


def test_an_empty_file_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "a.replay").touch()  # what a disk that is full leaves
    with pytest.raises(ReplayError, match="got an empty one"):
        read_replay(tmp_path / "a.replay")


@pytest.mark.parametrize(
    "start",
    [
        ["head", {"game": 5, "seed": 1}],
        ["head", {"game": "house/volley"}],
        ["head", {"game": "house/volley", "seed": -1}],
        head(agents="left_0"),
        head(agents=[["left_0"]]),
        head(kwargs=[]),
        tick(0),
    ],
)
def test_a_header_that_makes_no_sense_is_no_replay(tmp_path: Path, start: object) -> None:
    with pytest.raises(ReplayError, match=r"expected a header and a first tick, got .*a\.replay"):
        read_replay(write_records(tmp_path / "a.replay", [start, tick(0)]))


@pytest.mark.parametrize(("version", "words"), [(1, "an older PettingZoo Arcade"), (3, "update this one")])
def test_a_replay_of_another_version_says_which(tmp_path: Path, version: int, words: str) -> None:
    path = tmp_path / "a.replay"
    path.write_bytes(FAMILY + b"%d\n" % version + b"whatever that version holds")
    with pytest.raises(ReplayError, match=rf"expected a replay of version 2, got version {version}, .*{words}"):
        read_replay(path)


def test_a_game_that_keeps_state_over_a_reset_still_verifies_on_a_used_stage(tmp_path: Path) -> None:
    spec = find_game("butterfly/knights_archers_zombies_v11")
    with LocalStage(spec) as stage:
        for episode in range(2):
            writer = ReplayWriter(tmp_path / f"{episode}.replay")
            mapping = {agent: RandomController() for agent in stage.agents}
            Match(stage, dict(mapping), seed=4, max_ticks=40, recorders=[writer]).run()
            writer.close()
    assert verify(read_replay(tmp_path / "1.replay")).ok


@pytest.mark.parametrize(
    "record",
    [
        tick(1, [7]),
        tick(1, [["left_0", 0]], sent=[7]),
        tick(1, seen=[0, b"", []]),
        tick(1, acting=5),
        [*tick(1), None],
        tick(3),
        ["tick", 1, -1, *tick(1)[3:]],
        ["source", {"tick": 0, "agent": "left_0", "kind": "idle"}],
        ["source", {"tick": 0, "agent": "left_0", "kind": "idle", "label": 3}],
        ["seat", {"tick": None}],
        tick(1, [("zed", 0)]),
        tick(1, acting=["zed"]),
        ["layout", [["left_0", ["array", "|O", 2]], 5]],
        ["rewind", 1],
        ["end", {"lineup": "everybody"}],
        ["end", {"returns": [1.0]}],
        ["surprise"],
        7,
    ],
)
def test_a_record_that_makes_no_sense_ends_the_reading_before_it(tmp_path: Path, record: object) -> None:
    start = head(agents=["left_0", "right_0"])
    replay = read_replay(write_records(tmp_path / "a.replay", [start, tick(0), record, tick(1), ["end", {}]]))
    assert (len(replay.digests), len(replay.actions), replay.sent, replay.sources) == (1, 0, {}, [])
    assert replay.damage.startswith(("expected", "an invalid record ("))
    assert replay.result is None


def test_a_small_file_that_would_fill_the_memory_is_read_up_to_that_place(tmp_path: Path) -> None:
    nested: list[Any] = [[[]] * 4000] * 5
    told = ["seat", {"tick": 0, "left": {"x": nested}}]
    replay = read_replay(write_records(tmp_path / "many.replay", [head(), tick(0), *[told] * 150]))
    assert len(replay.changes) < 150
    assert "lists and maps" in replay.damage
    one = ["seat", {"tick": 0, "left": {"x": [[[]] * 4000] * 20}}]
    assert "lists and maps" in read_replay(write_records(tmp_path / "one.replay", [head(), tick(0), one])).damage
    names = [["source", {"tick": n, "agent": "a", "kind": "x", "label": ""}] for n in range(20_000)]
    assert "sources" in read_replay(write_records(tmp_path / "who.replay", [head(), tick(0), *names])).damage


@pytest.mark.parametrize(
    "broken",
    [
        ["source", {"tick": 0, "agent": "stranger", "kind": "x", "label": ""}],
        tick(1, seen=[0, [5], []]),
        tick(1, seen=[0, [-1], []]),
    ],
)
def test_what_points_outside_of_the_file_is_damage(broken: Any, tmp_path: Path) -> None:
    known = [head(agents=["a"]), ["layout", [["a", ["array", "<f4", 2]]]], tick(0)]
    replay = read_replay(write_records(tmp_path / "out.replay", [*known, broken]))
    assert replay.damage.startswith("expected")
    assert len(replay.digests) == 1
