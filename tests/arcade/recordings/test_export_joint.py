"""Joint data sets: all seats of a match in one episode, read again with Minari and pandas alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from typer.testing import CliRunner, Result

from arcade.commands.cli import app
from arcade.recordings.datasets.episodes import SeatEpisode, demo_episodes
from arcade.recordings.datasets.joint import joined, joint_episodes
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetError, DatasetQuery
from tests.support.recorded import Fingers, record
from tests.support.seat_episodes import made_episode

VOLLEY, FOUR = "house/volley", "classic/connect_four_v3"

READ_MINARI = """
import json
import minari

assert not any(name.partition(".")[0] in ("arcade", "agents", "trainer") for name in __import__("sys").modules)
found = {}
for name in minari.list_local_datasets():
    data = minari.load_dataset(name)
    episodes = []
    for episode in data.iterate_episodes():
        row = {agent: seen["observation"][0] if isinstance(seen, dict) else seen[0]
               for agent, seen in episode.observations.items()}
        first = {agent: ({key: part[0] for key, part in seen.items()} if isinstance(seen, dict) else seen[0])
                 for agent, seen in episode.observations.items()}
        action = {agent: done[0] for agent, done in episode.actions.items()}
        episodes.append({
            "fits": bool(first in data.observation_space and action in data.action_space),
            "keys": {agent: sorted(seen) if isinstance(seen, dict) else [] for agent, seen in
                     episode.observations.items()},
            "rows": {agent: len(seen["observation"] if isinstance(seen, dict) else seen) for agent, seen in
                     episode.observations.items()},
            "seen": {agent: (seen["observation"] if isinstance(seen, dict) else seen).tolist() for agent, seen in
                     episode.observations.items()},
            "actions": {agent: done.tolist() for agent, done in episode.actions.items()},
            "acts": {agent: done.tolist() for agent, done in episode.infos["acts"].items()},
            "reward": {agent: paid.tolist() for agent, paid in episode.infos["reward"].items()},
            "rewards": episode.rewards.tolist(),
            "ended": [bool(episode.terminations[-1]), bool(episode.truncations[-1])],
        })
    found[name] = {"steps": int(data.total_steps), "episodes": episodes}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two matches of volley, one of them with Ann, and one of connect four."""
    folder = tmp_path_factory.mktemp("home")
    record(folder / "replays" / "a.replay", {"left_0": Fingers("Ann")}, game=VOLLEY, ticks=60)
    record(folder / "replays" / "b.replay", game=VOLLEY, ticks=50, seed=4)
    record(folder / "replays" / "c.replay", game=FOUR, ticks=100)
    RecordingLibrary(folder / "replays").list()
    return folder


@pytest.fixture
def export(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("ARCADE_HOME", str(home))
    return lambda *words: CliRunner().invoke(
        app, ["recordings", "export", "--out", str(tmp_path), "--by", "match", *words]
    )


def written(done: Result) -> dict[str, int]:
    assert done.exit_code == 0, done.stderr
    return {Path(one["path"]).name: one["episodes"] for one in json.loads(done.stdout)["data_sets"]}


def seats_of(home: Path, game: str) -> dict[str, list[SeatEpisode]]:
    recordings = sorted(RecordingLibrary(home / "replays").list()[0], key=lambda recording: recording.id)
    found: dict[str, list[SeatEpisode]] = {}
    for episode in demo_episodes(recordings, DatasetQuery(game=game)):
        found.setdefault(str(episode.agent), []).append(episode)
    return found


def test_minari_alone_reads_all_seats_together(export: Any, home: Path, tmp_path: Path) -> None:
    assert written(export("--to", "minari", "--game", VOLLEY, "--json")) == {"match-v0": 2}
    assert written(export("--to", "minari", "--game", FOUR, "--json")) == {"match-v0": 1}
    env = {**os.environ, "MINARI_DATASETS_PATH": str(tmp_path), "PYTHONPATH": ""}
    told = subprocess.run(
        [sys.executable, "-I", "-c", READ_MINARI], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    for game in (VOLLEY, FOUR):
        read = found[f"arcade/{game}/match-v0"]["episodes"]
        seats = seats_of(home, game)
        for number, episode in enumerate(read):
            assert episode["fits"]
            assert episode["rewards"] == [
                sum(paid) for paid in zip(*(episode["reward"][one][:-1] for one in seats), strict=True)
            ]
            for agent, originals in seats.items():
                original = originals[number]
                acts = np.array(episode["acts"][agent][:-1])
                assert acts.sum() == len(original)
                np.testing.assert_array_equal(np.array(episode["actions"][agent])[acts], original.actions)
                seen = np.array(episode["seen"][agent], np.float32)
                np.testing.assert_array_equal(seen[:-1][acts], np.asarray(original.observations[:-1], np.float32))
                np.testing.assert_array_equal(seen[-1], np.asarray(original.observations[-1], np.float32))
                assert sum(episode["reward"][agent]) == original.rewards.sum()
                assert episode["keys"][agent] == (["action_mask", "observation"] if game == FOUR else [])
    assert all(
        sum(acts) == 1
        for acts in zip(*found[f"arcade/{FOUR}/match-v0"]["episodes"][0]["acts"].values(), strict=True)
        if any(acts)
    )  # by turns
    assert found[f"arcade/{VOLLEY}/match-v0"]["steps"] == 110
    assert found[f"arcade/{FOUR}/match-v0"]["episodes"][0]["ended"] == [True, False]


def test_pandas_reads_a_column_for_each_seat(export: Any, home: Path, tmp_path: Path) -> None:
    assert written(export("--to", "parquet", "--game", VOLLEY, "--person", "Ann", "--json")) == {"match.parquet": 1}
    frame = pandas.read_parquet(tmp_path / VOLLEY / "match.parquet")
    assert len(frame) == 60
    for agent, originals in seats_of(home, VOLLEY).items():
        assert frame[f"action.{agent}"].tolist() == originals[0].actions.tolist()
        assert frame[f"reward.{agent}"].tolist() == originals[0].rewards.tolist()
        assert frame[f"human.{agent}"].tolist() == originals[0].human.tolist()
    assert frame["human.left_0"].all()
    assert not frame["human.right_0"].any()


def test_numpy_reads_a_column_for_each_seat(export: Any, tmp_path: Path) -> None:
    assert written(export("--to", "npz", "--game", VOLLEY, "--json")) == {"match.npz": 2}
    with np.load(tmp_path / VOLLEY / "match.npz", allow_pickle=False) as data:
        assert data["acts.left_0"].all()
        assert len(data["observation.right_0"]) == len(data["reward.right_0"]) == 110


def test_formats_with_one_agent_say_so(export: Any, tmp_path: Path) -> None:
    pytest.importorskip("ray.rllib")
    done = export("--to", "rllib")
    assert done.exit_code == 2
    assert "expected --by seat or role for --to rllib, whose episodes have one agent" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_seat_that_ended_early_keeps_its_last_observation_and_is_not_paid() -> None:
    early = made_episode(1, steps=2, agent="ann", observations=np.arange(3.0)[:, None])
    late = made_episode(2, steps=5, agent="bob", terminated=False, truncated=True)
    both = joined(["ann", "bob"], [late, early])
    assert both.by_seat["acts"]["ann"].tolist() == [True, True, False, False, False]
    assert both.by_seat["terminated"]["ann"].tolist() == [False, True, False, False, False]
    assert both.by_seat["reward"]["ann"].tolist() == [1, 1, 0, 0, 0]
    assert both.rewards.tolist() == [3, 3, 2, 2, 2]
    assert [row["ann"].tolist() for row in both.observations] == [[0.0], [1.0], [2.0], [2.0], [2.0], [2.0]]
    assert (both.terminated, both.truncated) == (False, True)


def test_matches_without_a_selected_seat_are_left_out(home: Path) -> None:
    recordings = RecordingLibrary(home / "replays").list()[0]
    [found] = demo_episodes(recordings, DatasetQuery(person="Ann"), read=joint_episodes)
    assert (found.person, len(found)) == ("Ann", 60)


def test_a_match_with_a_seat_that_never_decided_is_refused() -> None:
    with pytest.raises(DatasetError, match="expected decisions of every seat for a joint episode, got none of bob"):
        joined(["ann", "bob"], [made_episode(1)])
