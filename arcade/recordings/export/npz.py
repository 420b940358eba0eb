"""NumPy: one ``.npz`` a data set, read by ``numpy.load`` without pickle.

Columns of one row a decision stand beside columns of one row an episode (``final_observation``, ``episode_*``).
Each column is kept in a file of its own until its length is known, so that memory holds one episode at a time.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export.data_set import DataSet, DataSetWriter, final, rows


class NumpyWriter(DataSetWriter):
    """``label`` is an index into ``labels``: who decided."""

    suffix = ".npz"

    def __init__(self, path: Path, data: DataSet) -> None:
        self._path, self._data = path, data
        self._folder = path.with_suffix(".columns")
        self._folder.mkdir()
        self._columns: dict[str, _Column] = {}
        self._labels: dict[str, int] = {}
        self._episodes: dict[str, list[Any]] = {name: [] for name in ("take", "agent", "person", "seed", "start")}
        self._rows = 0

    def add(self, episode: SeatEpisode) -> None:
        about = (episode.recording, str(episode.agent), episode.person, episode.seed, self._rows)
        for words, value in zip(self._episodes.values(), about, strict=True):
            words.append(value)
        labels = [self._labels.setdefault(label, len(self._labels)) for label in episode.labels]
        table = rows(self._data, episode, len(self._episodes["take"]) - 1)
        for name, values in {**table, **final(episode), "label": np.array(labels, np.int32)}.items():
            if name not in self._columns:
                self._columns[name] = _Column(self._folder / name, values)
            self._columns[name].append(values)
        self._rows += len(episode)

    def finish(self) -> None:
        with zipfile.ZipFile(self._path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            for name, column in self._columns.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    column.copy_to(member)
            words = {f"episode_{name}": values for name, values in self._episodes.items()}
            for name, values in {**words, "labels": list(self._labels)}.items():
                with archive.open(f"{name}.npy", "w") as member:
                    npy.write_array(member, np.array(values), allow_pickle=False)
        shutil.rmtree(self._folder)

    def abandon(self) -> None:
        for column in self._columns.values():
            column.close()


class _Column:
    """Rows on the disk, in NumPy's own order of bytes."""

    def __init__(self, path: Path, like: NDArray[Any]) -> None:
        self._file = open(path, "w+b")  # noqa: SIM115  # held until copied
        self._dtype, self._shape, self._rows = like.dtype, like.shape[1:], 0

    def append(self, values: NDArray[Any]) -> None:
        self._file.write(np.ascontiguousarray(values).data)
        self._rows += len(values)

    def copy_to(self, member: IO[bytes]) -> None:
        """Write it as a ``.npy`` and let go of it."""
        npy.write_array_header_2_0(
            member,
            {"descr": npy.dtype_to_descr(self._dtype), "fortran_order": False, "shape": (self._rows, *self._shape)},
        )
        self._file.seek(0)
        shutil.copyfileobj(self._file, member, 2**20)
        self.close()

    def close(self) -> None:
        self._file.close()
