"""What differs, where a recording does not come out the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.policies.random import RandomController
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay
from arcade.match.playback.verify import made_otherwise, verify
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from arcade.match.stage.local import LocalStage
from tests.support.replay_files import records_of, write_records

TICKS = 40


def record(path: Path, game: str, *, observations: str = "never") -> Replay:
    with LocalStage(find_game(game)) as stage:
        writer = ReplayWriter(path, RecordingOptions(observations=observations))
        mapping = {agent: RandomController() for agent in stage.agents}
        Match(stage, dict(mapping), seed=4, max_ticks=TICKS, recorders=[writer]).run()
        writer.close()
    return read_replay(path)


def test_a_reward_that_differs_is_named_with_what_was_recorded(tmp_path) -> None:
    replay = record(tmp_path / "a.replay", "mpe/simple_tag_v3")
    replay.digests[7] ^= 1
    replay.rewards[7] = {**replay.rewards[7], "agent_0": 5.0}
    verdict = verify(replay)
    assert verdict.differs_at == 7
    assert verdict.what.startswith("the reward of agent_0: ")
    assert verdict.what.endswith("recorded 5")


@pytest.mark.parametrize(
    ("game", "observations", "what"),
    [
        ("house/volley", "always", "the observation of left_0"),
        ("house/volley", "never", "an observation of left_0, right_0"),
        ("classic/connect_four_v3", "never", "the observation of player_1"),
    ],
)
def test_an_observation_that_differs_is_named_as_far_as_the_recording_tells(tmp_path, game, observations, what) -> None:
    replay = record(tmp_path / "a.replay", game, observations=observations)
    if observations == "always":
        replay.head["seed"] += 1  # another serve
    else:
        replay.digests[1] ^= 1
    verdict = verify(replay)
    assert verdict.differs_at in (0, 1)
    assert verdict.what == what


def test_other_packages_are_named(tmp_path) -> None:
    replay = record(tmp_path / "a.replay", "house/volley")
    assert made_otherwise(replay) == ""
    here = replay.head["versions"]["numpy"]
    replay.head["versions"]["numpy"] = "1.0"
    assert made_otherwise(replay) == f"numpy 1.0 (here {here})"


@pytest.mark.parametrize(
    ("part", "what"),
    [
        (6, "the reward of player_0: 1, recorded -1"),
        (7, "the legal actions of player_0"),
        (8, "the end of player_1: terminated, recorded truncated"),
    ],
)
def test_a_file_that_says_otherwise_than_the_game_is_found_out(tmp_path: Path, part: int, what: str) -> None:
    record(tmp_path / "a.replay", "classic/connect_four_v3")
    records = records_of(tmp_path / "a.replay")
    ticks = [one for one in records if one[0] == "tick"]
    where = len(ticks) - 1 if part != 7 else 2
    edits = {
        6: lambda pairs: [[agent, -reward] for agent, reward in pairs],
        7: lambda pairs: [[agent, 1 - mask] for agent, mask in pairs],
        8: lambda pairs: [[agent, "truncated"] for agent, _ in pairs],
    }
    ticks[where][part] = edits[part](ticks[where][part])
    verdict = verify(read_replay(write_records(tmp_path / "b.replay", records)))
    assert verdict.differs_at == where
    assert verdict.what == what


def test_an_observation_in_the_file_that_no_seat_saw_is_found_out(tmp_path: Path) -> None:
    record(tmp_path / "a.replay", "house/volley", observations="always")
    records = records_of(tmp_path / "a.replay")
    ticks = [one for one in records if one[0] == "tick"]
    seen = ticks[9][10][1]
    seen[1] = bytes([seen[1][0] ^ 1]) + seen[1][1:]
    verdict = verify(read_replay(write_records(tmp_path / "b.replay", records)))
    assert (verdict.differs_at, verdict.what) == (9, "the observation of right_0")


def test_actions_that_the_game_refuses_are_named_with_their_tick(tmp_path: Path) -> None:
    replay = record(tmp_path / "a.replay", "house/volley")
    replay.actions[11]["left_0"] = 99
    verdict = verify(replay)
    assert verdict.differs_at == 12
    assert "99" in verdict.problem
