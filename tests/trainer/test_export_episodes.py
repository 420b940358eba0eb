"""Data sets for RLlib: what was written is read by RLlib's own reader of offline episodes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgpack
import msgpack_numpy
import numpy as np
import pyarrow.parquet
import pytest
from gymnasium import spaces
from ray.rllib.algorithms.bc import BCConfig
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.offline.offline_prelearner import OfflinePreLearner
from typer.testing import CliRunner

from arcade.commands.cli import app
from arcade.recordings.datasets.episodes import SeatEpisode, demo_episodes
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetQuery
from tests.support.recorded import Fingers, machine, record
from trainer import offline

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
VOLLEY, FOUR = "house/volley", "classic/connect_four_v3"


@pytest.fixture
def exported(arcade_home: Path, tmp_path: Path) -> Any:
    """Runs ``arcade recordings export --to rllib WORDS`` to its end, and gives the folder with the data sets."""
    record(arcade_home / "replays" / "a.replay", {"left_0": Fingers("Ann")}, ticks=60)
    record(arcade_home / "replays" / "b.replay", {"left_0": machine("mill")}, ticks=50, seed=4)
    record(arcade_home / "replays" / "c.replay", game=FOUR)

    def run(*words: str) -> tuple[Path, str]:
        done = CliRunner().invoke(
            app, ["recordings", "export", "--to", "rllib", "--out", str(tmp_path / "out"), *words]
        )
        assert done.exit_code == 0, done.stderr
        return tmp_path / "out", done.stdout

    return run


def originals(home: Path, **query: Any) -> dict[str, SeatEpisode]:
    recordings, _ = RecordingLibrary(home / "replays").list()
    found = demo_episodes(recordings, DatasetQuery(**query))
    return {f"{episode.recording}/{episode.agent}/{episode.ticks[0]}": episode for episode in found}


def reader(folder: Path, observation_space: Any, action_space: Any) -> Any:
    """RLlib's reader of the offline data of a BC run, and what it reads in that folder."""
    config = BCConfig().environment(observation_space=observation_space, action_space=action_space)
    config.training(train_batch_size_per_learner=200)
    config.offline_data(input_=[str(folder)], input_read_episodes=True, dataset_num_iters_per_learner=1)
    config.validate()
    each = (observation_space, action_space)
    config.rl_module(rl_module_spec=config.get_multi_rl_module_spec(spaces={"default_policy": each}))
    items = pyarrow.parquet.read_table(folder).column("item").to_pylist()
    return OfflinePreLearner(config=config, spaces=each), {"item": np.array(items, object)}


def test_rllib_reads_the_episodes_of_a_seat_and_makes_batches_of_them(exported: Any, arcade_home: Path) -> None:
    out, told_json = exported("--game", VOLLEY, "--seat", "left_0", "--json")
    folder = out / VOLLEY / "left_0"
    [told] = json.loads(told_json)["data_sets"]
    assert (told["episodes"], told["steps"], told["path"]) == (2, 110, str(folder))
    learner, items = reader(folder, spaces.Box(-3, 3, (13,), np.float32), spaces.Discrete(6))
    batch = learner(items)
    assert batch["default_policy/obs"].shape == (200, 13)
    expected = originals(arcade_home, game=VOLLEY, seat="left_0")
    assert {episode.id_ for episode in learner.episode_buffer.episodes} == set(expected)
    for read in learner.episode_buffer.episodes:
        check(read, expected[read.id_])
    rows = {(*np.asarray(seen).tolist(), int(action)) for seen, action in
            zip(batch["default_policy/obs"], batch["default_policy/actions"], strict=True)}  # fmt: skip
    known = {(*seen.tolist(), int(action)) for episode in expected.values()
             for seen, action in zip(episode.observations, episode.actions, strict=False)}  # fmt: skip
    assert rows <= known


def check(read: SingleAgentEpisode, original: SeatEpisode) -> None:
    np.testing.assert_array_equal(read.get_observations(), original.observations)
    np.testing.assert_array_equal(read.get_actions(), original.actions)
    np.testing.assert_array_equal(read.get_rewards(), original.rewards)
    assert (read.is_terminated, read.is_truncated) == (original.terminated, original.truncated)
    assert read.agent_id == original.agent
    assert read.custom_data["person"] == original.person
    assert [info.get("human") for info in read.get_infos()] == [*original.human, None]


def test_masks_stand_in_the_observation_as_in_pettingzoo(exported: Any, arcade_home: Path) -> None:
    folder = exported("--game", FOUR, "--by", "role")[0] / FOUR / "player"
    [file] = folder.iterdir()
    items = pyarrow.parquet.read_table(file).column("item").to_pylist()
    read = [SingleAgentEpisode.from_state(msgpack.unpackb(item, object_hook=msgpack_numpy.decode)) for item in items]
    expected = originals(arcade_home, game=FOUR)
    assert {episode.id_ for episode in read} == set(expected)
    for episode in read:
        original = expected[episode.id_]
        np.testing.assert_array_equal(episode.get_observations()["observation"], original.observations)
        np.testing.assert_array_equal(episode.get_observations()["action_mask"], original.action_masks)
        assert episode.is_terminated


def test_many_episodes_are_spread_over_files(exported: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline, "FILE_BYTES", 1)
    folder = exported("--game", VOLLEY, "--seat", "right_0")[0] / VOLLEY / "right_0"
    assert sorted(path.name for path in folder.iterdir()) == ["episodes-00000.parquet", "episodes-00001.parquet"]
