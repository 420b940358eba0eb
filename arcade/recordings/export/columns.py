"""The columns of NumPy and Parquet files, one row a decision."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export.data_set import ACTION_MASK, OBSERVATION, DataSet
from arcade.recordings.export.nested import leaves

Columns = dict[str, NDArray[Any]]
"""Name to values, the first axis the rows."""


def rows(data: DataSet, episode: SeatEpisode, number: int) -> Columns:
    """T rows of a fitted episode, the `number`-th of its data set.

    Parts of a composite observation or action are columns of their own (``observation.card``).
    """
    count = len(episode)
    last = np.arange(count) == count - 1
    masks = {ACTION_MASK: episode.action_masks[:-1]} if data.mask_size and episode.action_masks is not None else {}
    return {
        "episode": np.full(count, number, np.int64),
        "tick": episode.ticks,
        **{name: part[:-1] for name, part in leaves(episode.observations, OBSERVATION)},
        **masks,
        **dict(leaves(episode.actions, "action")),
        **dict(leaves(episode.sent, "sent")),
        "reward": episode.rewards,
        "terminated": last & episode.terminated,
        "truncated": last & episode.truncated,
        "seconds": episode.times,
        "human": episode.human,
        "takeover": episode.takeover,
    }


def final(episode: SeatEpisode) -> Columns:
    """Return the observation after the last decision, one row."""
    return {name: part[-1:] for name, part in leaves(episode.observations, f"final_{OBSERVATION}")}
