"""RLlib's offline episodes on disk: Parquet with one binary column ``item``.

An item is an episode's state in msgpack, arrays as the package msgpack-numpy has them: what RLlib's
OfflineSingleAgentEnvRunner writes, and its OfflinePreLearner reads with ``input_read_episodes=True``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgpack
import msgpack_numpy
import numpy as np
import pyarrow
from pyarrow import parquet

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export import DataSet, DataSetWriter
from trainer.offline.episodes import rllib_episode

FILE_BYTES = 16 * 2**20
"""Of the episodes of one file: readers take whole files."""

SCHEMA = pyarrow.schema({"item": pyarrow.large_binary()})


class EpisodesWriter(DataSetWriter):
    """A folder of ``episodes-00000.parquet`` …

    It is read by ``config.offline_data(input_=[folder], input_read_episodes=True)``.
    """

    def __init__(self, path: Path, data: DataSet) -> None:
        path.mkdir()
        self._path, self._data = path, data
        self._items: list[bytes] = []
        self._bytes = self._files = 0

    def add(self, episode: SeatEpisode) -> None:
        state: dict[str, Any] = rllib_episode(self._data, episode).get_state()
        item = msgpack.packb(state, default=encoded)
        self._items.append(item)
        self._bytes += len(item)
        if self._bytes >= FILE_BYTES:
            self._write()

    def finish(self) -> None:
        if self._items:
            self._write()

    def _write(self) -> None:
        file = self._path / f"episodes-{self._files:05}.parquet"
        table = pyarrow.table({"item": self._items}, schema=SCHEMA)
        parquet.write_table(table, file, compression="zstd", row_group_size=64)
        self._items, self._bytes, self._files = [], 0, self._files + 1


def encoded(value: Any) -> Any:
    """An array or number of NumPy's as RLlib reads it, and nothing that would have to be pickled."""
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        raise TypeError(f"expected arrays and numbers in an episode, got an array of {value.dtype}")
    return msgpack_numpy.encode(value)
