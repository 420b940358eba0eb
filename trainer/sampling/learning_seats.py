"""LearningSeats: a policy's seats in a runner: decisions, critic state, KL reference, and the learner's columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.policies.batch import Masks, SeatMemory, Seats
from arcade.match.batch.vector_env import SeatGroup, VectorEnv, flat
from trainer.config import ConfigError, RunConfig
from trainer.networks.preprocess import Preprocess
from trainer.networks.seat import Decision, SeatNetwork, begin, decide, shrink
from trainer.sampling.layouts import HAS_REFERENCE, REFERENCE_INPUTS, make_layout
from trainer.sampling.plan import Policy
from trainer.sampling.rollout import RolloutBuffer

Networks = Mapping[str, SeatNetwork]
"""Policy id to its reference network."""

Columns = dict[str, NDArray[Any]]

MAX_STATE = 50_000
"""The most numbers in a state; a critic of more is no small network."""


class ReferencePolicy:
    """The reference policy of a KL penalty, on the seats of a LearningSeats.

    The runner evaluates it, not the learner: it has every decision of an episode in order, so that the reference keeps
    its own memory, and it evaluates each decision once for all epochs.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self.use(None)

    @property
    def active(self) -> bool:
        return self._network is not None

    def use(self, network: SeatNetwork | None) -> None:
        """Use another network from now on, or none.  Its memory begins anew, also in the middle of episodes."""
        self._network = network
        self._memory = SeatMemory({} if network is None else begin(network, 1))

    def begin(self, seats: Seats) -> None:
        """Begin new episodes on these seats."""
        self._memory.forget(seats)

    def columns(self, seats: Seats, observations: NDArray[Any], masks: Masks) -> Columns:
        """The rows of both columns for decisions of `seats` on raw observations (B, *shape)."""
        has_reference = np.full(len(seats), self.active)
        if self._network is None:
            return {REFERENCE_INPUTS: np.zeros((len(seats), self._width), np.float32), HAS_REFERENCE: has_reference}
        decision = decide(self._network, observations, masks, self._memory.recall(seats))
        self._memory.keep(seats, decision.memory)
        return {REFERENCE_INPUTS: decision.inputs, HAS_REFERENCE: has_reference}


class LearningSeats:
    """One policy in a runner, which calls the methods once a tick in their order.

    `seats` are rows of the group's flattened arrays: env x agents of the group + agent.
    """

    def __init__(
        self, run: RunConfig, policy: Policy, network: SeatNetwork, batch: VectorEnv, *, learns: bool,
        central: CentralState | None,
    ) -> None:  # fmt: skip
        self._reward_scale = np.float32(run.wrappers.reward_scale)
        self.learns = learns  # otherwise it plays, and no columns are kept
        self.policy, self.network = policy, network
        self._batch, self._layout, self._central = batch, make_layout(run), central
        self.group = batch.groups[policy.group]
        self.live = np.zeros((batch.num_envs, len(self.group.agents)), np.bool_)  # where it plays in this episode
        self._buffer = RolloutBuffer(run.ticks, self.live.size, keep=self._layout.keep)
        self._memory = SeatMemory(begin(network, 1))
        self.reference = ReferencePolicy(network.distribution.width) if learns and run.has_kl_penalty else None

    def begin(self, envs: NDArray[np.intp], live: NDArray[np.bool_]) -> None:
        """Begin new episodes in `envs`; `live`, (M, G), is True where the policy plays in them."""
        self.live[envs] = live
        width = self.live.shape[1]
        seats = (envs[:, None] * width + np.arange(width)).reshape(-1)
        self._memory.forget(seats)
        if self.reference is not None:
            self.reference.begin(seats)

    def decide(self, actions: NDArray[Any], rng: np.random.Generator) -> None:
        """Sample an action for each of its seats to act, into `actions` (N, G, *action shape)."""
        seats = np.flatnonzero(self._batch.acting[:, self.group.columns] & self.live)
        if not len(seats):
            return
        observations, masks = self._observed(seats)
        memory, distribution = self._memory.recall(seats), self.network.distribution
        decision = decide(self.network, observations, masks, memory)
        chosen, logp = distribution.sample(decision.inputs, rng)
        flat(actions)[seats] = distribution.to_env(chosen)
        self._memory.keep(seats, decision.memory)
        if self.learns:
            columns = _columns(decision.seen, masks, memory) | {"actions": chosen, "action_logp": logp}
            if self.reference is not None:
                columns |= self.reference.columns(seats, observations, masks)
            self._store(seats, decision, columns)

    def _store(self, seats: Seats, decision: Decision, columns: Columns) -> None:
        values = decision.values
        if self._central is not None:
            columns["state"] = self._central.rows(self.group, seats)
            values = self._central.values(columns["state"])
        self._buffer.decide(seats, values, columns | {"action_dist_inputs": decision.inputs})

    def observe(self) -> None:
        """Store the newest step: rewards, and the ends of episodes."""
        if not self.learns:
            return
        batch, columns = self._batch, self.group.columns
        self._buffer.reward(batch.rewards[:, columns].reshape(-1) * self._reward_scale)
        terminated, truncated = batch.terminated[:, columns], batch.truncated[:, columns]
        if terminated.any():
            self._end(terminated, truncated=False)
        truncated = truncated & ~terminated
        if truncated.any():
            self._end(truncated, truncated=True)
        over = batch.over
        if over.any():  # a seat whose episode ends without a flag of its own leaves no decision open
            self._end(np.repeat(over[:, None], len(columns), axis=1), truncated=False)

    def pop_rows(self) -> Columns:
        """The decisions that this fragment completed, in the layout; {} if there are none."""
        fragment = self._buffer.close()
        rows = self._layout.columns(fragment) if fragment.closed.any() else {}
        self._buffer.carry_over()
        return rows if len(next(iter(rows.values()), ())) else {}

    def _end(self, ended: NDArray[np.bool_], *, truncated: bool) -> None:
        seats = np.flatnonzero(ended.reshape(-1) & self._buffer.open)
        if not len(seats):
            return
        bootstraps = self._values(seats) if truncated else 0.0
        self._buffer.end(seats, truncated=truncated, bootstraps=bootstraps, last=self._last(seats))

    def _values(self, seats: Seats) -> NDArray[np.float32]:
        if self._central is not None:
            return self._central.values(self._central.rows(self.group, seats))
        return decide(self.network, self._observed(seats)[0], None, self._memory.recall(seats)).values

    def _last(self, seats: Seats) -> Columns:
        if not self._layout.keep_last:
            return {}
        observations, masks = self._observed(seats)
        return _columns(shrink(self.network, observations), masks, self._memory.recall(seats))

    def _observed(self, seats: Seats) -> tuple[NDArray[Any], Masks]:
        masks = self.group.masks
        return flat(self.group.observations)[seats], None if masks is None else flat(masks)[seats]


def _columns(seen: NDArray[Any], masks: Masks, memory: Mapping[str, NDArray[Any]]) -> Columns:
    columns = {"obs": seen} | {f"memory_{name}": rows for name, rows in memory.items()}
    return columns if masks is None else columns | {"action_mask": masks}


def is_central(run: RunConfig) -> bool:
    return run.policies.kind == "shared_value_function"


def state_size(run: RunConfig, batch: VectorEnv) -> int:
    """The numbers in a row for the critic: features, and two flags an agent."""
    return feature_count(run, batch) + 2 * len(batch.agents)


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
    """The state that a centralised critic observes: the observations of all seats, who lives, and the seat to value.

    Centralised training with decentralised execution (Lowe et al. 2017, arXiv 1706.02275; for PPO: Yu et al. 2021,
    arXiv 2103.01955, whose death masking is used: a dead seat observes zeros).  So does a seat that has not observed
    anything in its episode yet, as before its first turn.  The runner calls the methods once a tick in their order.
    """

    def __init__(self, run: RunConfig, batch: VectorEnv, critic: Any) -> None:
        self._batch, self._critic = batch, critic
        self._preprocessors = [Preprocess(group.observation_space, run.wrappers) for group in batch.groups]
        self._one_hot = np.eye(len(batch.agents), dtype=np.float32)
        self._has_observed, self._lives, self._cut_off = np.zeros((3, batch.num_envs, len(batch.agents)), np.bool_)

    def begin(self, envs: NDArray[np.intp]) -> None:
        """Begin new episodes in `envs`."""
        self._has_observed[envs], self._lives[envs], self._cut_off[envs] = False, True, False

    def look(self) -> None:
        """Note the seats that observe something at this tick, before the decisions."""
        self._has_observed |= self._batch.acting

    def observe(self) -> None:
        """Note the deaths of the newest step; a seat that was cut off is valued once more."""
        self._lives &= ~(self._batch.terminated | self._cut_off)
        self._cut_off |= self._batch.truncated

    def rows(self, group: SeatGroup, seats: NDArray[np.intp]) -> NDArray[np.float32]:
        """float32 (B, state size): the features of all agents in each seat's env, 1 for each that lives, and a one-hot
        of the seat's own agent."""
        envs, places = np.divmod(seats, len(group.agents))
        rows, inverse = np.unique(envs, return_inverse=True)
        features = [self._features(number, rows) for number in range(len(self._preprocessors))]
        state = np.concatenate([*features, self._lives[rows].astype(np.float32)], axis=1)
        return np.concatenate([state[inverse], self._one_hot[group.columns[places]]], axis=1)

    def values(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32 (B,)."""
        with torch.inference_mode():
            values: NDArray[np.float32] = self._critic(torch.as_tensor(rows)).numpy()
        return values

    def _features(self, number: int, envs: NDArray[np.intp]) -> NDArray[np.float32]:
        group = self._batch.groups[number]
        shown = (self._has_observed & self._lives)[envs][:, group.columns]
        seen = flat(group.observations[envs])
        with torch.inference_mode():
            own = self._preprocessors[number]
            features: NDArray[np.float32] = own.flat(own.shrink(torch.as_tensor(seen))).flatten(1).numpy()
        return np.asarray((features.reshape(*shown.shape, -1) * shown[:, :, None]).reshape(len(envs), -1), np.float32)
