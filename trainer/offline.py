"""RLlib's offline episodes on disk: Parquet with one binary column ``item``.

An item is an episode's state in msgpack, arrays as the package msgpack-numpy encodes them: the format that
RLlib's OfflineSingleAgentEnvRunner writes, and its OfflinePreLearner reads with ``input_read_episodes=True``.
Ray is imported by the first episode, so that the table of export formats can be read without it.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export import DataSet, DataSetWriter

FILE_BYTES = 16 * 2**20
"""Of the episodes of one file: readers take whole files."""


class EpisodesWriter(DataSetWriter):
    """A folder of ``episodes-00000.parquet`` …

    It is read by ``config.offline_data(input_=[folder], input_read_episodes=True)``.
    """

    libraries = ("ray.rllib", "msgpack_numpy", "pyarrow")
    extra = "train"
    joint = False

    def __init__(self, path: Path, data: DataSet) -> None:
        logging.getLogger("ray").setLevel(logging.ERROR)
        path.mkdir()
        self._path, self._data = path, data
        self._items: list[bytes] = []
        self._bytes = self._files = 0

    def add(self, episode: SeatEpisode) -> None:
        item = msgpack.packb(rllib_episode(self._data, episode).get_state(), default=encoded)
        self._items.append(item)
        self._bytes += len(item)
        if self._bytes >= FILE_BYTES:
            self._write()

    def finish(self) -> None:
        if self._items:
            self._write()

    def _write(self) -> None:
        import pyarrow
        from pyarrow import parquet

        file = self._path / f"episodes-{self._files:05}.parquet"
        table = pyarrow.table({"item": self._items}, schema=pyarrow.schema({"item": pyarrow.large_binary()}))
        parquet.write_table(table, file, compression="zstd", row_group_size=64)
        self._items, self._bytes, self._files = [], 0, self._files + 1


def rllib_episode(data: DataSet, episode: SeatEpisode) -> Any:
    """Make a SingleAgentEpisode in arrays; each info describes the decision made on the observation beside it.

    With masks an observation is PettingZoo's own: ``observation`` and ``action_mask``.
    """
    from ray.rllib.env.single_agent_episode import SingleAgentEpisode
    from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

    facts = zip(episode.ticks, episode.human, episode.takeover, strict=True)
    infos = [{"tick": int(tick), "human": bool(human), "takeover": bool(over)} for tick, human, over in facts]
    columns: dict[str, Any] = {
        "observations": data.seen(episode), "actions": episode.actions, "rewards": episode.rewards
    }  # fmt: skip
    columns = {name: InfiniteLookbackBuffer(data=values, lookback=0) for name, values in columns.items()}
    made = SingleAgentEpisode(
        id_=f"{episode.recording}/{episode.agent}/{episode.ticks[0]}",
        **columns,
        infos=[*infos, {}],
        terminated=episode.terminated,
        truncated=episode.truncated,
        len_lookback_buffer=0,
        agent_id=str(episode.agent),
    )
    made.custom_data.update(take=episode.recording, game=episode.game, label=episode.label, person=episode.person)
    return made


def encoded(value: Any) -> Any:
    """Encode an array or number of NumPy's as RLlib reads it, and nothing that would have to be pickled."""
    import msgpack_numpy

    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        raise TypeError(f"expected arrays and numbers in an episode, got an array of {value.dtype}")
    return msgpack_numpy.encode(value)
