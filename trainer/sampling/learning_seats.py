"""The seats of one learning policy in a runner: it decides there, and what it did is booked lane by lane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.match.batch.vector_env import VectorEnv, flat
from trainer.networks.acting import Chosen, act, begin, shrink, value_of
from trainer.networks.seat import SeatNetwork
from trainer.sampling.central import CentralState
from trainer.sampling.lanes import Lanes
from trainer.sampling.layouts import BatchLayout
from trainer.sampling.plan import Policy
from trainer.sampling.reference_logits import ReferencePolicy

Lane = NDArray[np.intp]
"""Numbers of lanes: game x seat of the policy's group, row by row."""


class LearningSeats:
    """Called by the runner once a tick, in the order of the methods."""

    def __init__(
        self, policy: Policy, batch: VectorEnv, layout: BatchLayout, *, slots: int, learns: bool,
        central: CentralState | None = None, with_reference: bool = False, reward_scale: float = 1.0,
    ) -> None:  # fmt: skip
        self._reward_scale = np.float32(reward_scale)
        self.learns = learns  # else it plays, and nothing is booked
        self.policy, self._batch, self._layout, self._central = policy, batch, layout, central
        self.group = batch.groups[policy.group]
        self.live = np.zeros((batch.num_envs, len(self.group.agents)), np.bool_)  # where it learns in this episode
        self._lanes = Lanes(slots, self.live.size)
        self.reference = ReferencePolicy(self.live.size) if with_reference and learns else None
        self._memory: dict[str, NDArray[np.float32]] = {}

    def begin(self, games: NDArray[np.intp], live: NDArray[np.bool_]) -> None:
        """New episodes in `games`; `live` (M, G) says where the policy learns in them."""
        self.live[games] = live
        for rows in self._memory.values():
            rows.reshape(*self.live.shape, *rows.shape[1:])[games] = 0
        if self.reference is not None:
            self.reference.forget((games[:, None] * self.live.shape[1] + np.arange(self.live.shape[1])).reshape(-1))

    def decide(self, network: SeatNetwork, actions: NDArray[Any], rng: np.random.Generator) -> None:
        """Draw an action for each of its seats that acts, into `actions` (N, G, *action shape)."""
        lanes = np.flatnonzero(self._batch.acting[:, self.group.columns] & self.live)
        if not len(lanes):
            return
        seen, masks = self._seen(lanes)
        memory = self._remember(network, lanes)
        chosen = act(network, seen, masks, memory, rng)
        flat(actions)[lanes] = network.draws.to_env(chosen.actions)
        for name, rows in chosen.memory.items():
            self._memory[name][lanes] = rows
        if self.learns:
            more = (
                {} if self.reference is None else self.reference.columns(lanes, seen, masks, width=network.draws.width)
            )
            self._book(lanes, chosen, masks, more | {f"memory_{name}": rows for name, rows in memory.items()})

    def _book(
        self, lanes: Lane, chosen: Chosen, masks: NDArray[np.int8] | None, more: dict[str, NDArray[Any]]
    ) -> None:  # fmt: skip
        columns = {"obs": chosen.seen, "actions": chosen.actions, "action_logp": chosen.logp}
        columns["action_dist_inputs"] = chosen.inputs
        if masks is not None:
            columns["action_mask"] = masks
        columns |= more
        values = chosen.values
        if self._central is not None:
            columns["state"] = self._central.rows(self.group, lanes)
            values = self._central.values(columns["state"])
        self._lanes.decide(lanes, values, columns)

    def observe(self, network: SeatNetwork) -> None:
        """Book what the newest step brought: rewards, and the ends of episodes."""
        if not self.learns:
            return
        batch, columns = self._batch, self.group.columns
        self._lanes.reward(batch.rewards[:, columns].reshape(-1) * self._reward_scale)
        terminated, truncated = batch.terminated[:, columns], batch.truncated[:, columns]
        if terminated.any():
            self._end(terminated, network, truncated=False)
        cut = truncated & ~terminated
        if cut.any():
            self._end(cut, network, truncated=True)
        over = batch.over
        if over.any():  # a seat whose episode ends without a flag of its own leaves no decision hanging
            self._end(np.repeat(over[:, None], len(columns), axis=1), network, truncated=False)

    def take_rows(self) -> dict[str, NDArray[Any]]:
        """The decisions closed in this fragment as the layout has them; {} where there is none."""
        fragment = self._lanes.close()
        rows = self._layout.columns(fragment) if fragment.closed.any() else {}
        self._lanes.carry_over()
        return rows

    def _end(self, ended: NDArray[np.bool_], network: SeatNetwork, *, truncated: bool) -> None:
        lanes = np.flatnonzero(ended.reshape(-1) & self._lanes.open)
        if not len(lanes):
            return
        last = self._last(network, lanes) if self._layout.keep_last else None
        bootstraps = self._values(network, lanes) if truncated else 0.0
        self._lanes.end(lanes, truncated=truncated, bootstraps=bootstraps, last=last)

    def _values(self, network: SeatNetwork, lanes: Lane) -> NDArray[np.float32]:
        if self._central is not None:
            return self._central.values(self._central.rows(self.group, lanes))
        return value_of(network, self._seen(lanes)[0], self._remember(network, lanes))

    def _last(self, network: SeatNetwork, lanes: Lane) -> dict[str, NDArray[Any]]:
        seen, masks = self._seen(lanes)
        memory = {f"memory_{name}": rows for name, rows in self._remember(network, lanes).items()}
        return {"obs": shrink(network, seen), **memory} | ({} if masks is None else {"action_mask": masks})

    def _remember(self, network: SeatNetwork, lanes: Lane) -> dict[str, NDArray[np.float32]]:
        if not self._memory and network.memory:
            self._memory = begin(network, self.live.size)
        return {name: rows[lanes] for name, rows in self._memory.items()}

    def _seen(self, lanes: Lane) -> tuple[NDArray[Any], NDArray[np.int8] | None]:
        seen, masks = self.group.observations, self.group.masks
        return flat(seen)[lanes], None if masks is None else flat(masks)[lanes]
