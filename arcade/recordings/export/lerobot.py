"""LeRobot data sets of version 3: https://huggingface.co/docs/lerobot/lerobot-dataset-v3

Parquet files, JSON and an MP4, written without LeRobot: ``LeRobotDataset(ID, root=FOLDER)`` reads them, and so do
pandas and ffmpeg.  A frame is a decision.  Numbers that a seat observes are ``observation.state``, one vector; a
picture that it observes is ``observation.images.picture``, a video of all episodes one after the other.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.errors import UserError
from arcade.games.catalogue import find_game
from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export.data_set import DataSet, DataSetWriter, leaves
from arcade.recordings.export.lerobot_video import LeRobotVideo
from arcade.recordings.export.running_stats import RunningStats

VERSION = "v3.0"
CHUNK, FILE = "chunk-{chunk_index:03d}", "file-{file_index:03d}"
DATA = f"data/{CHUNK}/{FILE}.parquet"
VIDEO = f"videos/{{video_key}}/{CHUNK}/{FILE}.mp4"
EPISODES = f"meta/episodes/{CHUNK}/{FILE}.parquet"
STATE, PICTURE, MASK = "observation.state", "observation.images.picture", "observation.action_mask"
FIRST = {"chunk_index": 0, "file_index": 0}  # all is in one file of each kind
PER_CHUNK, DATA_MB, VIDEO_MB = 1000, 100, 200  # LeRobot's own limits, for those who append
DEFAULT_FPS = 30


class LeRobotWriter(DataSetWriter):
    """``GAME/SEAT-lerobot`` below the folder; each episode is a row group of its Parquet file."""

    suffix = "-lerobot"
    libraries = ("pyarrow", "pandas")
    joint = False

    def __init__(self, path: Path, data: DataSet) -> None:
        import pyarrow
        from pyarrow import parquet

        self._arrow, self._parquet, self._path, self._data = pyarrow, parquet, path, data
        self._fps = _fps(data.game)
        self._task = f"Play {data.name} in {data.game}."
        self._is_picture = _is_picture(data.observation_space)
        self._features: dict[str, dict[str, Any]] = {}
        self._stats = RunningStats()
        self._episodes: list[dict[str, Any]] = []
        self._frames = 0
        self._file: Any = None
        self._video: LeRobotVideo | None = None
        self._place(DATA).parent.mkdir(parents=True)

    def _place(self, pattern: str, **more: str) -> Path:
        return self._path / pattern.format(**FIRST, **more)

    def add(self, episode: SeatEpisode) -> None:
        columns, count = self._columns(episode), len(episode)
        for name, values in columns.items():
            self._features.setdefault(name, _feature(values))
        table = self._arrow.table({name: self._array(values) for name, values in columns.items()})
        if self._file is None:
            self._file = self._parquet.ParquetWriter(self._place(DATA), table.schema)
        self._file.write_table(table, row_group_size=count)
        self._stats.add(columns)
        if self._is_picture:
            self._add_pictures(np.asarray(episode.observations[:-1], np.uint8))
        self._episodes.append(self._about(episode))
        self._frames += count

    def _columns(self, episode: SeatEpisode) -> dict[str, NDArray[Any]]:
        count = len(episode)
        seen = {} if self._is_picture else {STATE: _vectors(episode.observations, count)}
        masks = {} if episode.action_masks is None else {MASK: np.asarray(episode.action_masks[:-1], np.bool_)}
        frames = np.arange(count, dtype=np.int64)
        return {
            **seen, **masks,
            "action": _vectors(episode.actions, count),
            "next.reward": episode.rewards.astype(np.float32),
            "next.done": (frames == count - 1) & (episode.terminated or episode.truncated),
            "timestamp": (frames / self._fps).astype(np.float32),
            "frame_index": frames,
            "episode_index": np.full(count, len(self._episodes), np.int64),
            "index": self._frames + frames,
            "task_index": np.zeros(count, np.int64),
        }  # fmt: skip

    def _array(self, values: NDArray[Any]) -> Any:
        if values.ndim == 1:
            return self._arrow.array(values)
        flat = self._arrow.array(np.ascontiguousarray(values).ravel())
        return self._arrow.FixedSizeListArray.from_arrays(flat, values.shape[1])

    def _add_pictures(self, pictures: NDArray[np.uint8]) -> None:
        if self._video is None:
            self._video = LeRobotVideo(self._place(VIDEO, video_key=PICTURE), pictures.shape[1:], fps=self._fps)
            self._features = {PICTURE: self._video.feature()} | self._features
        self._video.add(pictures)

    def _about(self, episode: SeatEpisode) -> dict[str, Any]:
        begin, end = self._frames, self._frames + len(episode)
        shown = {
            "chunk_index": 0,
            "file_index": 0,
            "from_timestamp": begin / self._fps,
            "to_timestamp": end / self._fps,
        }
        return {
            "episode_index": len(self._episodes), "tasks": [self._task], "length": len(episode),
            "data/chunk_index": 0, "data/file_index": 0, "dataset_from_index": begin, "dataset_to_index": end,
            **({f"videos/{PICTURE}/{name}": value for name, value in shown.items()} if self._is_picture else {}),
            "meta/episodes/chunk_index": 0, "meta/episodes/file_index": 0,
            "recording": episode.recording, "agent": str(episode.agent), "label": episode.label,
            "person": episode.person, "seed": episode.seed,
        }  # fmt: skip

    def finish(self) -> None:
        import pandas

        self._file.close()
        place = self._place(EPISODES)
        place.parent.mkdir(parents=True)
        self._parquet.write_table(self._arrow.Table.from_pylist(self._episodes), place)
        tasks = pandas.DataFrame({"task_index": [0]}, index=pandas.Index([self._task], name="task"))
        tasks.to_parquet(self._path / "meta" / "tasks.parquet")
        stats = self._stats.as_json()
        if self._video is not None:
            self._video.close()
            stats[PICTURE] = self._video.stats()
        self._write("stats", stats)
        self._write("info", self._info())

    def _info(self) -> dict[str, Any]:
        return {
            "codebase_version": VERSION,
            "robot_type": self._data.game,
            "total_episodes": len(self._episodes),
            "total_frames": self._frames,
            "total_tasks": 1,
            "chunks_size": PER_CHUNK,
            "data_files_size_in_mb": DATA_MB,
            "video_files_size_in_mb": VIDEO_MB,
            "fps": self._fps,
            "splits": {"train": f"0:{len(self._episodes)}"},
            "data_path": DATA,
            "video_path": VIDEO if self._video is not None else None,
            "features": self._features,
        }

    def _write(self, name: str, content: dict[str, Any]) -> None:
        (self._path / "meta" / f"{name}.json").write_text(json.dumps(content, indent=4) + "\n", "utf-8")

    def abandon(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._video is not None:
            self._video.close()


def _is_picture(space: Any) -> bool:
    """Return whether a seat observes a picture of colours."""
    return isinstance(space, spaces.Box) and space.dtype == np.uint8 and len(space.shape) == 3 and space.shape[2] == 3


def _fps(game: str) -> int:
    try:
        return max(1, round(find_game(game).fps))
    except UserError:  # not installed here any more
        return DEFAULT_FPS


def _vectors(values: Any, count: int) -> NDArray[Any]:
    """Return all numbers of the first `count` values as rows; one column of whole numbers stays as it is."""
    parts = [np.asarray(part[:count]).reshape(count, -1) for _, part in leaves(values, "")]
    if len(parts) == 1 and parts[0].shape[1] == 1 and parts[0].dtype.kind in "iu":
        return parts[0].ravel().astype(np.int64)
    return np.concatenate(parts, axis=1).astype(np.float32)


def _feature(values: NDArray[Any]) -> dict[str, Any]:
    return {"dtype": values.dtype.name, "shape": list(values.shape[1:]) or [1], "names": None}
