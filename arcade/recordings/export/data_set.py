"""DataSetWriter: the contract of an export format; DataSet, composite values and columns for its writers."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.datasets.joint import ACTION_MASK, OBSERVATION
from arcade.recordings.query import DatasetError


@dataclass(frozen=True, kw_only=True, eq=False)
class DataSet:
    """The data of one seat, of all seats of a role, or of whole matches."""

    game: str  # catalogue id
    name: str  # of the seat or the role, or "match"
    observation_space: Any  # as the game declares it, without the mask
    action_space: Any
    mask_size: int = 0  # legal and illegal actions; 0: every action is legal at all times

    @property
    def path(self) -> str:
        """Game and name as a relative path of letters, digits, dashes and underscores."""
        return f"{_plain(self.game)}/{_plain(self.name)}"

    @property
    def space(self) -> Any:
        """Space of a written observation: with masks a Dict of observation and action_mask."""
        if not self.mask_size:
            return self.observation_space
        mask = spaces.Box(0, 1, (self.mask_size,), np.int8)
        return spaces.Dict({OBSERVATION: self.observation_space, ACTION_MASK: mask})

    def fitted(self, episode: SeatEpisode) -> SeatEpisode:
        """Return the episode in the declared dtypes, observations as arrays nested as their space is.

        Raises DatasetError for an episode of another shape than the rest.
        """
        try:
            observations = gathered(episode.observations, self.observation_space)
            actions = gathered(episode.actions, self.action_space)
            sent = gathered(episode.sent, self.action_space)
            masks = self._masks(episode)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise DatasetError(f"recording {episode.recording}, {episode.agent}: {error}") from error
        return replace(episode, observations=observations, actions=actions, sent=sent, action_masks=masks)

    def seen(self, episode: SeatEpisode) -> Any:
        """Return the observations of a fitted episode as elements of `space`."""
        if not self.mask_size:
            return episode.observations
        return {OBSERVATION: episode.observations, ACTION_MASK: episode.action_masks}

    def _masks(self, episode: SeatEpisode) -> Any:
        if not self.mask_size:
            if episode.action_masks is not None:
                raise ValueError("expected no action masks as in the episodes before, got some")
            return None
        if episode.action_masks is None:
            return np.ones((len(episode) + 1, self.mask_size), np.int8)
        if episode.action_masks.shape[1] != self.mask_size:
            raise ValueError(f"expected masks of {self.mask_size} actions, got: {episode.action_masks.shape[1]}")
        return episode.action_masks


class DataSetWriter(ABC):
    """Writes one data set, an episode at a time; holds a few of them in memory, never all."""

    prefix: ClassVar[str] = ""  # folder in front of the data set's path
    suffix: ClassVar[str] = ""  # of the file or folder that it makes, behind the data set's path
    libraries: ClassVar[tuple[str, ...]] = ()  # modules that it imports and a plain installation lacks
    extra: ClassVar[str] = "data"  # the optional dependency of ours that installs them
    joint: ClassVar[bool] = True  # an episode may have all seats of a match, as Dict spaces

    @abstractmethod
    def __init__(self, path: Path, data: DataSet) -> None:
        """Begin at `path`, a temporary place; its parent folder exists."""

    @abstractmethod
    def add(self, episode: SeatEpisode) -> None:
        """Append a fitted episode."""

    @abstractmethod
    def finish(self) -> None:
        """Write what is still in memory."""

    def abandon(self) -> None:  # noqa: B027
        """Close open files; called after `finish`, and instead of it when the export fails."""


def _plain(word: str) -> str:
    return re.sub(r"[^-\w/]+", "-", word, flags=re.ASCII).strip("/-") or "seat"


def gathered(values: Sequence[Any] | NDArray[Any], space: Any) -> Any:
    """Stack values along a first axis, nested as `space` is; raises ValueError for values of other shapes."""
    if isinstance(space, spaces.Dict):
        return {key: gathered([value[key] for value in values], part) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(gathered([value[at] for value in values], part) for at, part in enumerate(space.spaces))
    shapes = {values.shape[1:]} if isinstance(values, np.ndarray) else {np.shape(value) for value in values}
    if space.shape is None or shapes != {space.shape}:
        raise ValueError(f"expected values of the shape {space.shape}, got: {', '.join(map(str, sorted(shapes)))}")
    return np.asarray(values, dtype=space.dtype)


def leaves(value: Any, name: str) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays of a nested value by path: ``observation``, or ``observation.card`` of a Dict."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{name}.{key}")
    elif isinstance(value, tuple):
        for at, part in enumerate(value):
            yield from leaves(part, f"{name}.{at}")
    else:
        yield name, value


def size(value: Any) -> int:
    """Return the bytes of all arrays."""
    return sum(array.nbytes for _, array in leaves(value, ""))


Columns = dict[str, NDArray[Any]]
"""Name to values, the first axis the rows."""


def rows(data: DataSet, episode: SeatEpisode, number: int) -> Columns:
    """T rows of a fitted episode, the `number`-th of its data set.

    Parts of a composite observation or action are columns of their own (``observation.card``), and so is what each seat
    of a joint episode did (``reward.left_0``).
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
        **{f"{name}.{agent}": part for name, seats in episode.by_seat.items() for agent, part in seats.items()},
    }


def final(episode: SeatEpisode) -> Columns:
    """Return the observation after the last decision, one row."""
    return {name: part[-1:] for name, part in leaves(episode.observations, f"final_{OBSERVATION}")}
