"""Replays: recorded, cut off, damaged, verified."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agents.records import pack_record
from agents.scripted import RandomController
from arcade.games import find_game
from arcade.match.local import LocalStage
from arcade.match.match import Match
from arcade.match.recording import ReplayWriter
from arcade.match.replay import ReplayError, read_replay
from arcade.match.replay_controller import ReplayController
from arcade.match.replay_format import MAGIC
from arcade.match.verifying import verify

TICKS = 60
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


def record(path: Path, game: str = "house/volley", seed: int = 11, *, render: bool = False) -> Path:
    with LocalStage(find_game(game), render=render) as stage:
        writer = ReplayWriter(path)
        mapping = {agent: RandomController() for agent in stage.agents}
        Match(stage, dict(mapping), seed=seed, max_ticks=TICKS, recorder=writer).run()
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
                       recorder=writer).run()  # fmt: skip
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


def test_a_file_cut_off_anywhere_reads_up_to_its_last_whole_tick(tmp_path: Path) -> None:
    whole = record(tmp_path / "a.replay").read_bytes()
    cut = tmp_path / "cut.replay"
    for size in range(len(whole) - 1, len(whole) // 3, -97):
        cut.write_bytes(whole[:size])
        replay = read_replay(cut)
        assert replay.result is None
        assert 0 < len(replay.actions) <= TICKS
        assert len(replay.actions) == len(replay.digests) - 1
    assert not verify(replay).ok  # it says that the end is missing
    assert verify(replay).differs_at is None


def test_a_flipped_byte_ends_the_reading_there(tmp_path: Path) -> None:
    path = record(tmp_path / "a.replay")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    replay = read_replay(path)
    assert "checksum" in replay.damage or "record" in replay.damage
    assert 0 < len(replay.actions) < TICKS


@pytest.mark.parametrize(
    "data", [b"", b"PNG", MAGIC, MAGIC + b"\xff" * 64, MAGIC + b"\x01\x00\x00\x00\x00\x00\x00\x00\xc0"]
)
def test_what_is_no_replay_is_refused_by_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "holiday.replay"
    path.write_bytes(data)
    with pytest.raises(ReplayError, match=r"holiday\.replay"):
        read_replay(path)


def test_a_disk_that_refuses_does_not_stop_the_match(tmp_path: Path) -> None:
    path = tmp_path / "taken.replay"
    path.write_text("somebody else's")
    with LocalStage(find_game("house/volley")) as stage:
        writer = ReplayWriter(path)
        mapping = {agent: RandomController() for agent in stage.agents}
        result = Match(stage, dict(mapping), seed=1, max_ticks=TICKS, recorder=writer).run()
        writer.close()
    assert result.ticks == TICKS
    assert "taken.replay" in writer.warning
    assert path.read_text() == "somebody else's"


def test_what_no_replay_can_hold_does_not_stop_the_match(tmp_path: Path) -> None:
    with LocalStage(find_game("house/volley")) as stage:
        writer = ReplayWriter(tmp_path / "a.replay")
        mapping = {agent: RandomController() for agent in stage.agents}
        settings = {"odd": object()}
        result = Match(stage, dict(mapping), seed=1, max_ticks=5, recorder=writer, settings=settings).run()
        writer.close()
    assert result.ticks == 5
    assert "a.replay could not be written: expected values that msgpack holds" in writer.warning


def test_a_game_that_keeps_state_over_a_reset_still_verifies_on_a_used_stage(tmp_path: Path) -> None:
    spec = find_game("butterfly/knights_archers_zombies_v11")
    with LocalStage(spec) as stage:
        for episode in range(2):
            writer = ReplayWriter(tmp_path / f"{episode}.replay")
            mapping = {agent: RandomController() for agent in stage.agents}
            Match(stage, dict(mapping), seed=4, max_ticks=40, recorder=writer).run()
            writer.close()
    assert verify(read_replay(tmp_path / "1.replay")).ok


@pytest.mark.parametrize(
    "record", [["tick", 1, [7], 5], ["tick", 1, [["left_0", 0]], 5, [7]], ["tick", 1, [], 5, {}, {}]]
)
def test_a_tick_that_makes_no_sense_ends_the_reading_before_it(tmp_path: Path, record: list[object]) -> None:
    path = tmp_path / "a.replay"
    head = ["head", {"game": "house/volley", "seed": 1}]
    path.write_bytes(MAGIC + b"".join(pack_record(one) for one in (head, ["tick", 0, [], 5], record)))
    replay = read_replay(path)
    assert (len(replay.digests), len(replay.actions), replay.sent) == (1, 0, {})
    assert replay.damage
