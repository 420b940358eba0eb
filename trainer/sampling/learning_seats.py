"""LearningSeats: a policy's seats in a runner: decisions, critic state, KL reference, and the learner's columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.policies.batch import Masks, SeatMemory, Seats
from arcade.match.batch.vector_env import VectorEnv, flat
from trainer.config import RunConfig
from trainer.networks.seat import Decision, SeatNetwork, begin, decide, shrink
from trainer.sampling.central_state import STATE, CentralState
from trainer.sampling.layouts import HAS_REFERENCE, REFERENCE_INPUTS, make_layout
from trainer.sampling.plan import Policy
from trainer.sampling.rollout import RolloutBuffer

Networks = Mapping[str, SeatNetwork]
"""Policy id to its reference network."""

Columns = dict[str, NDArray[Any]]


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


class Choice(NamedTuple):
    """Actions of seats, a row for each, in the distribution's own form."""

    actions: NDArray[Any]
    columns: Columns  # of the choice, for the learner
    values: NDArray[np.float32]  # of the observations


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
        self.buffer = RolloutBuffer(run.ticks, self.live.size, keep=self._layout.keep)
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
        memory = self._memory.recall(seats)
        decision = decide(self.network, observations, masks, memory)
        choice = self._choose(seats, decision, masks, rng)
        flat(actions)[seats] = self.network.distribution.to_env(choice.actions)
        self._memory.keep(seats, decision.memory)
        if self.learns:
            columns = _columns(decision.seen, masks, memory) | choice.columns
            if self.reference is not None:
                columns |= self.reference.columns(seats, observations, masks)
            self._store(seats, decision, choice.values, columns)

    def _choose(self, seats: Seats, decision: Decision, masks: Masks, rng: np.random.Generator) -> Choice:
        """The action for each of `seats`."""
        chosen, logp = self.network.distribution.sample(decision.inputs, rng)
        return Choice(chosen, {"actions": chosen, "action_logp": logp}, decision.values)

    def _store(self, seats: Seats, decision: Decision, values: NDArray[np.float32], columns: Columns) -> None:
        if self._central is not None:
            columns[STATE], values = self._central.decide(self.group, seats)
        self.buffer.decide(seats, values, columns | {"action_dist_inputs": decision.inputs})

    def observe(self) -> None:
        """Store the newest step: rewards, and the ends of episodes."""
        if not self.learns:
            return
        batch, columns = self._batch, self.group.columns
        self.buffer.reward(batch.rewards[:, columns].reshape(-1) * self._reward_scale)
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
        fragment = self.buffer.close()
        rows = self._layout.columns(fragment) if fragment.closed.any() else {}
        self.buffer.carry_over()
        return rows if len(next(iter(rows.values()), ())) else {}

    def _end(self, ended: NDArray[np.bool_], *, truncated: bool) -> None:
        seats = np.flatnonzero(ended.reshape(-1) & self.buffer.open)
        if not len(seats):
            return
        bootstraps = self._values(seats) if truncated else 0.0
        self.buffer.end(seats, truncated=truncated, bootstraps=bootstraps, last=self._last(seats))

    def _values(self, seats: Seats) -> NDArray[np.float32]:
        if self._central is not None:
            return self._central.values(self.group, seats)
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
