"""Trajectories: the consecutive decisions of one seat, as inputs of a network."""

from __future__ import annotations

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
class Trajectory:
    """T consecutive decisions of one seat."""

    recording: str  # its id
    seen: Array  # (T + 1, …): what the network keeps of the observations
    masks: NDArray[np.int8] | None  # (T + 1, n); None where the game has none
    actions: Array  # (T, …), as the network's draws have them
    rewards: NDArray[np.float64]  # (T,)
    weights: NDArray[np.int64]  # (T,): how many times each counts
    terminated: bool  # the episode ended with the last one; else it was truncated

    def __len__(self) -> int:
        return len(self.actions)


def make_trajectory(episode: SeatEpisode, network: SeatNetwork, *, masked: bool, correction: int = 1) -> Trajectory:
    """`masked`: the game has action masks; `correction` is the weight of decisions that people made for a policy."""
    masks = episode.action_masks
    if masked and masks is None:
        masks = np.ones((len(episode) + 1, network.distribution.width), np.int8)
    return Trajectory(
        recording=episode.recording,
        seen=_shrunk(network, episode.observations),
        masks=masks if masked else None,
        actions=network.distribution.from_env(episode.sent),
        rewards=episode.rewards,
        weights=np.where(episode.takeover, correction, 1),
        terminated=episode.terminated,
    )


def returns(trajectory: Trajectory, last_value: float, *, gamma: float) -> NDArray[np.float32]:
    """(T,): the discounted rewards from each decision on, with `last_value` as the bootstrap of a truncated episode."""
    sums = np.zeros(len(trajectory), np.float32)
    following = 0.0 if trajectory.terminated else last_value
    for t in range(len(trajectory) - 1, -1, -1):
        following = sums[t] = trajectory.rewards[t] + gamma * following
    return sums


def _shrunk(network: SeatNetwork, observations: Array) -> Array:
    parts = [observations[i : i + SHRUNK_AT_ONCE] for i in range(0, len(observations), SHRUNK_AT_ONCE)]
    return np.concatenate([shrink(network, part) for part in parts])
