"""Minari data sets: https://minari.farama.org/content/dataset_standards/

Written by Minari's own storage, without an environment: ``minari.load_dataset`` needs nothing of ours.  Point
``MINARI_DATASETS_PATH`` at the folder that was exported to.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export.data_set import DataSet, DataSetWriter, size

BATCH_BYTES, BATCH_EPISODES = 16 * 2**20, 64
"""Episodes are handed to the storage together, which opens its file anew each time."""


class MinariWriter(DataSetWriter):
    """``arcade/GAME/SEAT-v0`` below the folder; pictures are kept as they are, and not as JPEG.

    Joint episodes are ``arcade/GAME/match-v0``: Dict spaces by agent, ``rewards`` the sum of all seats, and the infos
    ``acts``, ``reward``, ``terminated``, ``truncated``, ``seconds``, ``human``, ``takeover``, each by agent.
    """

    prefix, suffix = "arcade/", "-v0"
    libraries = ("minari", "h5py")

    def __init__(self, path: Path, data: DataSet) -> None:
        import minari
        from minari.data_collector.episode_buffer import EpisodeBuffer
        from minari.dataset.minari_storage import MinariStorage

        self._buffer, self._data = EpisodeBuffer, data
        path.joinpath("data").mkdir(parents=True)
        self._storage = MinariStorage.new(
            path.resolve() / "data",  # Minari joins a relative one with itself
            observation_space=data.space,
            action_space=data.action_space,
            data_format="hdf5",
            jpeg_encoding=False,
        )
        name = f"{self.prefix}{data.path}{self.suffix}"
        self._storage.update_metadata(
            {
                "dataset_id": name,
                "minari_version": minari.__version__,
                "description": f"Recorded play of {data.name} in {data.game}.",
            }
        )
        self._waiting: list[Any] = []
        self._waiting_bytes = 0
        self._about: list[dict[str, Any]] = []  # each episode's metadata

    def add(self, episode: SeatEpisode) -> None:
        count = len(episode)
        terminations, truncations = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        terminations[-1], truncations[-1] = episode.terminated, episode.truncated
        seen = self._data.seen(episode)
        infos = {
            "tick": episode.ticks, "seconds": episode.times, "human": episode.human, "takeover": episode.takeover
        }  # fmt: skip
        self._waiting.append(
            self._buffer(
                seed=episode.seed,
                observations=seen,
                actions=episode.actions,
                rewards=episode.rewards,
                terminations=terminations,
                truncations=truncations,
                infos={name: _padded(rows) for name, rows in infos.items()} | _by_seat(episode),
            )
        )
        self._about.append(  # "take" is the recording's name, kept for people's files
            {"take": episode.recording, "agent": str(episode.agent), "label": episode.label, "person": episode.person}
        )
        self._waiting_bytes += size(seen)
        if self._waiting_bytes >= BATCH_BYTES or len(self._waiting) >= BATCH_EPISODES:
            self._write()

    def finish(self) -> None:
        self._write()
        self._storage.update_episode_metadata(self._about)

    def _write(self) -> None:
        self._storage.update_episodes(self._waiting)
        self._waiting, self._waiting_bytes = [], 0


def _by_seat(episode: SeatEpisode) -> dict[str, Any]:
    """Return ``infos["reward"]["left_0"]`` and so on of a joint episode, in place of those of all seats together."""
    return {
        name: {agent: _padded(rows) for agent, rows in seats.items()} for name, seats in episode.by_seat.items()
    }  # fmt: skip


def _padded(rows: NDArray[Any]) -> NDArray[Any]:
    """One row a step: facts about a decision are at its observation, and the last observation has none: 0."""
    return np.concatenate([rows, np.zeros(1, rows.dtype)])
