"""NumPy: one ``.npz`` a data set, read by ``numpy.load`` without pickle.

Columns of one row a decision are beside columns of one row an episode (``final_observation``, ``episode_*``).
Each column has its own file until its length is known, to bound memory.  ``episode_take`` is the recording's name.
"""

from __future__ import annotations

import shutil
import zipfile
from collections import Counter
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export.data_set import DataSet, DataSetWriter, final, rows


class NumpyWriter(DataSetWriter):
    """``label`` is an index into ``labels``, the players."""

    suffix = ".npz"

    def __init__(self, path: Path, data: DataSet) -> None:
        self._path, self._data = path, data
        self._folder = path.with_suffix(".columns")
        self._folder.mkdir()
        self._columns: dict[str, NDArray[Any]] = {}  # an empty array of the dtype and shape of its rows
        self._counts = Counter[str]()  # its rows
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
            self._columns.setdefault(name, values[:0])
            self._counts[name] += len(values)
            with open(self._folder / name, "ab") as file:
                file.write(np.ascontiguousarray(values).data)
        self._rows += len(episode)

    def finish(self) -> None:
        with zipfile.ZipFile(self._path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            for name in self._columns:
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    self._copy(name, member)
            words = {f"episode_{name}": values for name, values in self._episodes.items()}
            for name, values in {**words, "labels": list(self._labels)}.items():
                with archive.open(f"{name}.npy", "w") as member:
                    npy.write_array(member, np.array(values), allow_pickle=False)
        shutil.rmtree(self._folder)

    def _copy(self, name: str, member: IO[bytes]) -> None:
        """Write a column as a ``.npy``."""
        like = self._columns[name]
        shape = (self._counts[name], *like.shape[1:])
        header = {"descr": npy.dtype_to_descr(like.dtype), "fortran_order": False, "shape": shape}
        npy.write_array_header_2_0(member, header)
        with open(self._folder / name, "rb") as file:
            shutil.copyfileobj(file, member, 2**20)
