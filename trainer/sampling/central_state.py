"""CentralState: what a centralised critic observes, stored once a tick for all agents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.policies.batch import Seats
from arcade.match.batch.vector_env import SeatGroup, VectorEnv, flat
from trainer.config import ConfigError, RunConfig
from trainer.networks.preprocess import Preprocess
from trainer.sampling.rollout import RolloutBuffer

STATE = "state"
"""Column, int64 (…, 2): the row in the table of states, and the number of the agent whose value is asked."""

MAX_STATE = 50_000
"""The most numbers in a state; a critic of more is no small network."""


def is_central(run: RunConfig) -> bool:
    """Whether one critic values all agents."""
    return run.policies.kind == "shared_value_function"


def feature_count(run: RunConfig, batch: VectorEnv) -> int:
    """The numbers that all agents observe; raises ConfigError if they exceed MAX_STATE."""
    shapes = [(Preprocess(group.observation_space, run.wrappers).shape, len(group.agents)) for group in batch.groups]
    seen = sum(math.prod(shape) * agents for shape, agents in shapes)
    if seen > MAX_STATE:
        raise ConfigError(
            f"policies.kind: expected a state of at most {MAX_STATE} numbers for shared_value_function, got {seen} of "
            f"{len(batch.agents)} agents; wrappers.resize makes pictures smaller"
        )
    return seen


class CentralState:
    """The state that a centralised critic observes: the observations of all seats, and which agents live.

    Centralised training with decentralised execution (Lowe et al. 2017, arXiv 1706.02275; for PPO: Yu et al. 2021,
    arXiv 2103.01955, whose death masking is used: a dead seat observes zeros).  So does a seat that has not observed
    anything in its episode yet, as before its first turn.  The runner calls the methods once a tick in their order.

    The decisions of a tick share its states, a row for each env; `pop` returns the table of a fragment.
    """

    def __init__(self, run: RunConfig, batch: VectorEnv, critic: Any) -> None:
        self._batch, self._critic = batch, critic
        self._preprocessors = [Preprocess(group.observation_space, run.wrappers) for group in batch.groups]
        self._has_observed, self._lives, self._cut_off = np.zeros((3, batch.num_envs, len(batch.agents)), np.bool_)
        self._table: list[NDArray[np.float32]] = []
        self._length = 0  # of the table, without the newest tick
        self._newest: NDArray[np.float32] | None = None  # states of all envs at this tick, once one is asked for

    def begin(self, envs: NDArray[np.intp]) -> None:
        """Begin new episodes in `envs`."""
        self._has_observed[envs], self._lives[envs], self._cut_off[envs] = False, True, False

    def look(self) -> None:
        """Note the seats that observe something at this tick, before the decisions."""
        self._has_observed |= self._batch.acting
        self._close_tick()

    def observe(self) -> None:
        """Note the deaths of the newest step; a seat that was cut off is valued once more."""
        self._close_tick()
        self._lives &= ~(self._batch.terminated | self._cut_off)
        self._cut_off |= self._batch.truncated

    def decide(self, group: SeatGroup, seats: Seats) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The column STATE (B, 2) of decisions of these seats, and their values (B,)."""
        envs, agents = _places(group, seats)
        if self._newest is None:
            self._newest = self.states(np.arange(self._batch.num_envs))
        return np.stack([self._length + envs, agents], axis=1), self._evaluate(self._newest[envs], agents)

    def values(self, group: SeatGroup, seats: Seats) -> NDArray[np.float32]:
        """The values (B,) of what these seats observe now, which is not stored."""
        envs, agents = _places(group, seats)
        rows, inverse = np.unique(envs, return_inverse=True)
        return self._evaluate(self.states(rows)[inverse], agents)

    def states(self, envs: NDArray[np.intp]) -> NDArray[np.float32]:
        """float32 (M, state size): the features of all agents, and 1 for each that lives."""
        features = [self._features(number, envs) for number in range(len(self._preprocessors))]
        return np.concatenate([*features, self._lives[envs].astype(np.float32)], axis=1)

    def pop(self, buffers: Sequence[RolloutBuffer]) -> NDArray[np.float32]:
        """The table of the fragment; the states of the decisions that `buffers` carry over begin the next one."""
        self._close_tick()
        table = np.concatenate(self._table)
        carried = [buffer.carried(STATE) for buffer in buffers]
        kept = np.unique(np.concatenate([places[:, 0] for places in carried]))
        for buffer, places in zip(buffers, carried, strict=True):
            places[:, 0] = np.searchsorted(kept, places[:, 0])
            buffer.set_carried(STATE, places)
        self._table, self._length = [table[kept]], len(kept)
        return table

    def _close_tick(self) -> None:
        if self._newest is not None:
            self._table.append(self._newest)
            self._length += len(self._newest)
            self._newest = None

    def _evaluate(self, states: NDArray[np.float32], agents: NDArray[np.intp]) -> NDArray[np.float32]:
        with torch.inference_mode():
            values: NDArray[np.float32] = self._critic(torch.as_tensor(states), torch.as_tensor(agents)).numpy()
        return values

    def _features(self, number: int, envs: NDArray[np.intp]) -> NDArray[np.float32]:
        group = self._batch.groups[number]
        shown = (self._has_observed & self._lives)[envs][:, group.columns]
        seen = flat(group.observations[envs])
        with torch.inference_mode():
            own = self._preprocessors[number]
            features: NDArray[np.float32] = own.flat(own.shrink(torch.as_tensor(seen))).flatten(1).numpy()
        return np.asarray((features.reshape(*shown.shape, -1) * shown[:, :, None]).reshape(len(envs), -1), np.float32)


def _places(group: SeatGroup, seats: Seats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The envs of seats, and the numbers of their agents among all."""
    envs, places = np.divmod(seats, len(group.agents))
    return envs, np.asarray(group.columns)[places]
