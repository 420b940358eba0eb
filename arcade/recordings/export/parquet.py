"""Parquet: one file a data set, one row a decision, zstd-compressed.

Arrays are Arrow's fixed-shape tensors, which readers that do not know them see as lists of fixed size:
https://arrow.apache.org/docs/format/CanonicalExtensions.html#fixed-shape-tensor
Of truth values there are no tensors in Arrow: arrays of them (the boards of chess and go) are uint8, 0 and 1.
``final_observation`` is at the last row of an episode alone, as a flat list; ``take`` is the recording's name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export.data_set import Columns, DataSet, DataSetWriter, final, rows

GROUP_BYTES = 8 * 2**20
"""Of a row group before it is compressed: what a reader takes at once."""


class ParquetWriter(DataSetWriter):
    """Words about the episode (recording, agent, label, person) are repeated in each row; Parquet stores them once."""

    suffix = ".parquet"
    libraries = ("pyarrow",)

    def __init__(self, path: Path, data: DataSet) -> None:
        import pyarrow
        from pyarrow import parquet

        self._arrow, self._parquet = pyarrow, parquet
        self._path, self._data = path, data
        self._file: Any = None
        self._waiting: list[Any] = []
        self._waiting_bytes = 0
        self._episodes = 0

    def add(self, episode: SeatEpisode) -> None:
        table = self._arrow.table(self._columns(episode))
        if self._file is None:
            self._file = self._parquet.ParquetWriter(self._path, table.schema, compression="zstd")
        self._episodes += 1
        self._waiting.append(table)
        self._waiting_bytes += table.nbytes
        if self._waiting_bytes >= GROUP_BYTES:
            self._write()

    def finish(self) -> None:
        self._write()
        self._file.close()

    def abandon(self) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self) -> None:
        if self._waiting:
            table = self._arrow.concat_tables(self._waiting)
            self._file.write_table(table, row_group_size=max(1, GROUP_BYTES * len(table) // max(1, table.nbytes)))
        self._waiting, self._waiting_bytes = [], 0

    def _columns(self, episode: SeatEpisode) -> dict[str, Any]:
        count = len(episode)
        words = {"take": episode.recording, "agent": str(episode.agent), "person": episode.person}
        return {
            **{name: self._arrow.array([word] * count) for name, word in words.items()},
            "seed": self._arrow.array(np.full(count, episode.seed, np.int64)),
            "label": self._arrow.array(episode.labels),
            **{name: self._array(values) for name, values in rows(self._data, episode, self._episodes).items()},
            **self._final(final(episode), count),
        }

    def _array(self, values: NDArray[Any]) -> Any:
        if values.ndim == 1:
            return self._arrow.array(values)
        return self._arrow.FixedShapeTensorArray.from_numpy_ndarray(np.ascontiguousarray(_numbers(values)))

    def _final(self, columns: Columns, count: int) -> dict[str, Any]:
        return {
            name: self._arrow.array(
                [None] * (count - 1) + [values.ravel()],
                type=self._arrow.list_(self._arrow.from_numpy_dtype(values.dtype)),
            )
            for name, values in zip(columns, map(_numbers, columns.values()), strict=True)
        }


def _numbers(values: NDArray[Any]) -> NDArray[Any]:
    return values.view(np.uint8) if values.dtype == np.bool_ else values
