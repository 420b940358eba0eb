"""LeRobot data sets: the documented layout, read back by pandas and ffmpeg alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
import pandas
import pyarrow.parquet
import pytest
from gymnasium import spaces

from arcade.recordings.export import export_episodes
from arcade.recordings.export.lerobot import LeRobotWriter
from arcade.recordings.query import DatasetError
from tests.support.seat_episodes import made_episode, spaces_of

FIRST = "chunk-000/file-000"
OWN = {"timestamp", "frame_index", "episode_index", "index", "task_index"}
"""Features of every data set: https://huggingface.co/docs/lerobot/lerobot-dataset-v3"""


def read(folder: Path) -> tuple[dict[str, Any], pandas.DataFrame, pandas.DataFrame]:
    info = json.loads((folder / "meta/info.json").read_text())
    frames = pandas.read_parquet(folder / info["data_path"].format(chunk_index=0, file_index=0))
    return info, frames, pandas.read_parquet(folder / f"meta/episodes/{FIRST}.parquet")


def test_numbers_are_frames_episodes_and_figures(tmp_path: Path) -> None:
    masks = np.ones((6, 4), np.int8)
    episodes = [made_episode(number, action_masks=masks) for number in (1, 3)]
    [one] = export_episodes(episodes, tmp_path, writer=LeRobotWriter, spaces_of=spaces_of)
    info, frames, told = read(one.path)
    assert (info["codebase_version"], info["total_episodes"], info["total_frames"]) == ("v3.0", 2, 10)
    assert info["splits"] == {"train": "0:2"}
    assert info["video_path"] is None
    assert OWN < set(info["features"]) == set(frames.columns)
    assert info["features"]["observation.state"] == {"dtype": "float32", "shape": [3], "names": None}
    assert info["features"]["action"] == {"dtype": "int64", "shape": [1], "names": None}
    assert frames["index"].tolist() == list(range(10))
    assert frames["frame_index"].tolist() == [*range(5), *range(5)]
    assert np.allclose(frames["timestamp"], frames["frame_index"] / info["fps"])
    assert frames["next.done"].tolist() == [False] * 4 + [True] + [False] * 4 + [True]
    assert np.stack(frames["observation.state"].to_list())[:, 0].tolist() == [1.0] * 5 + [3.0] * 5
    assert frames["observation.action_mask"].iloc[0].tolist() == [True] * 4
    assert told["dataset_to_index"].tolist() == [5, 10]
    assert told["recording"].tolist() == ["recording-1", "recording-3"]
    tasks = pandas.read_parquet(one.path / "meta/tasks.parquet")
    assert told["tasks"].iloc[0].tolist() == tasks.index.to_list() == ["Play ann in test/game."]
    stats = json.loads((one.path / "meta/stats.json").read_text())
    assert (stats["next.reward"]["mean"], stats["next.reward"]["std"]) == ([2.0], [1.0])
    assert stats["observation.state"]["max"] == [3.0] * 3
    assert pyarrow.parquet.ParquetFile(one.path / f"data/{FIRST}.parquet").num_row_groups == 2, "an episode each"


@pytest.mark.parametrize("shape", [(64, 48, 3), (35, 57, 3)])
def test_pictures_are_a_video_with_a_frame_a_decision(tmp_path: Path, shape: tuple[int, ...]) -> None:
    shades = np.arange(6, dtype=np.uint8)[:, None, None, None] * 40
    seen = np.broadcast_to(shades, (6, *shape))
    pictures = lambda episode: (spaces.Box(0, 255, shape, np.uint8), spaces.Discrete(4))  # noqa: E731
    episodes = [made_episode(number, observations=seen) for number in (0, 1)]
    [one] = export_episodes(episodes, tmp_path, writer=LeRobotWriter, spaces_of=pictures)
    info, frames, told = read(one.path)
    key = "observation.images.picture"
    assert (info["features"][key]["dtype"], info["features"][key]["shape"]) == ("video", list(shape))
    assert "observation.state" not in frames
    assert key not in frames, "videos have no column"
    video = one.path / info["video_path"].format(video_key=key, chunk_index=0, file_index=0)
    reader = imageio_ffmpeg.read_frames(str(video))
    about = next(reader)
    shown = [np.frombuffer(picture, np.uint8).reshape(shape) for picture in reader]
    assert (about["fps"], about["size"]) == (info["fps"], (shape[1], shape[0]))
    assert len(shown) == info["total_frames"] == 10
    assert np.allclose([picture.mean() for picture in shown], [0, 40, 80, 120, 160] * 2, atol=4)
    assert np.allclose(told[f"videos/{key}/from_timestamp"], told["dataset_from_index"] / info["fps"])


def test_without_the_program_that_encodes_the_error_says_so(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "nosuch"))
    seen = np.zeros((6, 8, 8, 3), np.uint8)
    pictures = lambda episode: (spaces.Box(0, 255, (8, 8, 3), np.uint8), spaces.Discrete(4))  # noqa: E731
    with pytest.raises(DatasetError, match=r"expected to encode a video, got: .*nosuch") as error:
        export_episodes([made_episode(0, observations=seen)], tmp_path, writer=LeRobotWriter, spaces_of=pictures)
    assert error.value.code == "not_installed"


def test_a_match_is_exported_by_the_command_and_never_all_seats_at_once(tmp_path: Path, monkeypatch: Any) -> None:
    from typer.testing import CliRunner

    import arcade
    from arcade.commands.cli import app

    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    arcade.play("house/volley", {"*": "scripted"}, seed=1, max_ticks=90, record=True)
    words = ["recordings", "export", "--game", "house/volley", "--seat", "left_0", "--to", "lerobot"]
    done = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "data")])
    assert done.exit_code == 0, done.output
    info, frames, _ = read(tmp_path / "data/house/volley/left_0-lerobot")
    assert (info["fps"], info["robot_type"], len(frames)) == (60, "house/volley", info["total_frames"])
    assert len(frames) > 80
    done = CliRunner().invoke(app, [*words, "--by", "match", "--out", str(tmp_path / "all")])
    assert isinstance(done.exception, DatasetError | SystemExit)
    assert done.exit_code != 0
