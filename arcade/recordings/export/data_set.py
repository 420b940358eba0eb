"""DataSet: what the episodes of one file have in common; DataSetWriter: the interface of an export format."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from arcade.recordings.datasets.episodes import SeatEpisode
from arcade.recordings.export.nested import gathered
from arcade.recordings.query import DatasetError

OBSERVATION, ACTION_MASK = "observation", "action_mask"
"""PettingZoo's own keys of an observation with a mask."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DataSet:
    """The data of one seat, or of all seats of a role."""

    game: str  # catalogue id
    name: str  # of the seat or the role
    observation_space: Any  # as the game declares it, without the mask
    action_space: Any
    mask_size: int = 0  # legal and illegal actions; 0: every action is legal at all times

    @property
    def path(self) -> str:
        """Game and name as a relative path of letters, digits, dashes and underscores."""
        return f"{_plain(self.game)}/{_plain(self.name)}"

    @property
    def space(self) -> Any:
        """Of an observation as it is written: Dict of observation and action_mask where there are masks."""
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
    extra: ClassVar[str] = "data"  # of ours, which installs them

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
