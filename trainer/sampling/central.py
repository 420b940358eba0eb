"""The state that a centralised critic observes: the observations of all seats, and the seat to value.

Centralised training with decentralised execution (Lowe et al. 2017, arXiv 1706.02275; for PPO: Yu et al. 2021,
arXiv 2103.01955).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from arcade.match.batch.vector_env import SeatGroup, VectorEnv, flat
from trainer.config import ConfigError, RunConfig
from trainer.networks.preprocess import Preprocess

MAX_STATE = 50_000
"""The most numbers in a state; a critic of more is no small network."""


def is_central(run: RunConfig) -> bool:
    return run.policies.kind == "shared_value_function"


def state_size(run: RunConfig, batch: VectorEnv) -> int:
    """The numbers in a row for the critic; raises ConfigError if they exceed MAX_STATE."""
    shapes = [(Preprocess(group.observation_space, run.wrappers).shape, len(group.agents)) for group in batch.groups]
    seen = sum(math.prod(shape) * agents for shape, agents in shapes)
    if seen > MAX_STATE:
        raise ConfigError(
            f"policies.kind: expected a state of at most {MAX_STATE} numbers for shared_value_function, got {seen} of "
            f"{len(batch.agents)} agents; wrappers.resize makes pictures smaller"
        )
    return seen + len(batch.agents)


class CentralState:
    """Rows for the critic and its values."""

    def __init__(self, run: RunConfig, batch: VectorEnv, critic: Any) -> None:
        self._batch, self._critic = batch, critic
        self._preprocessors = [Preprocess(group.observation_space, run.wrappers) for group in batch.groups]
        self._one_hot = np.eye(len(batch.agents), dtype=np.float32)

    def rows(self, group: SeatGroup, seats: NDArray[np.intp]) -> NDArray[np.float32]:
        """float32 (B, state size): the state of each seat's env, then a one-hot of its agent."""
        envs, places = np.divmod(seats, len(group.agents))
        rows, inverse = np.unique(envs, return_inverse=True)
        state = np.concatenate([self._features(number, rows) for number in range(len(self._preprocessors))], axis=1)
        return np.concatenate([state[inverse], self._one_hot[group.columns[places]]], axis=1)

    def values(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32 (B,)."""
        with torch.inference_mode():
            values: NDArray[np.float32] = self._critic(torch.as_tensor(rows)).numpy()
        return values

    def _features(self, number: int, envs: NDArray[np.intp]) -> NDArray[np.float32]:
        seen = flat(self._batch.groups[number].observations[envs])
        with torch.inference_mode():
            own = self._preprocessors[number]
            features: NDArray[np.float32] = own.flat(own.shrink(torch.as_tensor(seen))).flatten(1).numpy()
        return features.reshape(len(envs), -1)
