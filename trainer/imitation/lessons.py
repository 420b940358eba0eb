"""Lessons: episodes of recorded play as a network wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.recordings.datasets.episodes import SeatEpisode
from trainer.networks.acting import shrink
from trainer.networks.seat import SeatNetwork

Array = NDArray[Any]

SHRUNK_AT_ONCE = 1024
"""Observations, so that pictures need no room twice."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """T decisions of one seat that follow on each other."""

    take: str  # its id
    seen: Array  # (T + 1, …): what the network keeps of the observations
    masks: NDArray[np.int8] | None  # (T + 1, n); None where the game has none
    actions: Array  # (T, …), as the network's draws have them
    rewards: NDArray[np.float64]  # (T,)
    weights: NDArray[np.int64]  # (T,): how often each counts
    terminated: bool  # nothing follows on the last one; else it was cut off

    def __len__(self) -> int:
        return len(self.actions)


def make_lesson(
    episode: SeatEpisode, network: SeatNetwork, *, masked: bool, correction: int = 1
) -> Lesson:  # fmt: skip
    """`masked`: the game has action masks; `correction` is the weight of decisions made for a machine."""
    masks = episode.action_masks
    if masked and masks is None:
        masks = np.ones((len(episode) + 1, network.draws.width), np.int8)
    return Lesson(
        take=episode.take,
        seen=_shrunk(network, episode.observations),
        masks=masks if masked else None,
        actions=network.draws.from_env(episode.sent),
        rewards=episode.rewards,
        weights=np.where(episode.takeover, correction, 1),
        terminated=episode.terminated,
    )


def returns(lesson: Lesson, last_value: float, *, gamma: float) -> NDArray[np.float32]:
    """(T,): the discounted rewards from each decision on, with `last_value` for what was cut off."""
    sums = np.zeros(len(lesson), np.float32)
    following = 0.0 if lesson.terminated else last_value
    for t in range(len(lesson) - 1, -1, -1):
        following = sums[t] = lesson.rewards[t] + gamma * following
    return sums


def decisions(lessons: Sequence[Lesson]) -> int:
    return sum(map(len, lessons))


def _shrunk(network: SeatNetwork, observations: Array) -> Array:
    parts = [observations[i : i + SHRUNK_AT_ONCE] for i in range(0, len(observations), SHRUNK_AT_ONCE)]
    return np.concatenate([shrink(network, part) for part in parts])
