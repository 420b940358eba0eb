"""The RLModules that RLlib's DQN and SAC train; batches are rows of `transition_columns`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from ray.rllib.algorithms.dqn.dqn_learner import QF_NEXT_PREDS, QF_TARGET_NEXT_PREDS
from ray.rllib.algorithms.sac.sac_learner import (
    ACTION_LOG_PROBS,
    ACTION_LOG_PROBS_NEXT,
    ACTION_PROBS,
    ACTION_PROBS_NEXT,
    QF_PREDS,
    QF_TARGET_NEXT,
    QF_TWIN_PREDS,
)
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, QNetAPI, TargetNetworkAPI
from torch import Tensor, nn

from trainer.config.algorithms.replay import DQNSettings, SACSettings
from trainer.networks.actor_critic import SoftCritic, SquashedGaussian
from trainer.networks.modules import MEMORY, PolicyModule, copy_of, heads_of, run_of
from trainer.networks.q_network import EpsilonGreedy
from trainer.networks.seat import ILLEGAL
from trainer.sampling.layouts import NEXT

CRITICS = ("qf", "qf_twin")


class QModule(PolicyModule, QNetAPI, TargetNetworkAPI, InferenceOnlyAPI):
    """A QNetwork and its target network.

    The share of random actions is a buffer: runners get it with the weights, and checkpoints have it.
    """

    epsilon: Tensor

    def setup(self) -> None:
        super().setup()
        run = run_of(self)
        assert isinstance(run.training, DQNSettings)
        self._schedule = (*run.training.epsilon, run.training.epsilon_steps)
        self.register_buffer("epsilon", torch.tensor([self._schedule[0]]))
        assert isinstance(self.network.distribution, EpsilonGreedy)
        self.network.distribution.epsilon = self.epsilon

    def anneal(self, env_steps: int) -> None:
        """Set the share of random actions to that after `env_steps` steps."""
        start, end, steps = self._schedule
        self.epsilon.fill_(start + (end - start) * min(1.0, env_steps / steps))

    def make_target_networks(self) -> None:
        self.target = copy_of(self.network)

    def get_target_network_pairs(self) -> list[tuple[Any, Any]]:
        return [(self.network, self.target)]

    def get_non_inference_attributes(self) -> list[str]:
        return ["target"]

    def compute_q_values(self, batch: dict[str, Any]) -> dict[str, Any]:
        return {QF_PREDS: heads_of(self.network, batch).inputs}

    def forward_target(self, batch: dict[str, Any]) -> dict[str, Tensor]:
        return {QF_PREDS: heads_of(self.target, batch).inputs}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        """Both networks value the next observation, with its own legal actions (van Hasselt et al. 2015)."""
        later = _following(batch)
        with torch.no_grad():
            best, target = self.compute_q_values(later), self.forward_target(later)
        now = self.compute_q_values(batch)
        return {QF_PREDS: now[QF_PREDS], QF_NEXT_PREDS: best[QF_PREDS], QF_TARGET_NEXT_PREDS: target[QF_PREDS]}


class SoftModule(PolicyModule, QNetAPI, TargetNetworkAPI, InferenceOnlyAPI):
    """A SoftPolicy, twin critics and their targets; runners have the policy alone."""

    def setup(self) -> None:
        super().setup()
        run = run_of(self)
        assert isinstance(run.training, SACSettings)
        self.entropy_share = run.training.entropy_share
        self.is_box = isinstance(self.network.distribution, SquashedGaussian)
        self.qf = SoftCritic(run, self.observation_space, self.action_space)
        self.qf_twin = SoftCritic(run, self.observation_space, self.action_space)

    def observe_rows(self, seen: Tensor) -> None:
        for network in (self.network, self.qf, self.qf_twin):
            network.eyes.preprocess.observe_rows(seen)

    def make_target_networks(self) -> None:
        self.target_qf = copy_of(self.qf)
        self.target_qf_twin = copy_of(self.qf_twin)

    def get_target_network_pairs(self) -> list[tuple[Any, Any]]:
        return [(self.qf, self.target_qf), (self.qf_twin, self.target_qf_twin)]

    def get_non_inference_attributes(self) -> list[str]:
        return [*CRITICS, "target_qf", "target_qf_twin"]

    def compute_q_values(self, batch: dict[str, Any]) -> Any:
        return torch.min(_q_values(self.qf, batch), _q_values(self.qf_twin, batch))

    def forward_target(self, batch: dict[str, Any]) -> Any:
        return torch.min(_q_values(self.target_qf, batch), _q_values(self.target_qf_twin, batch))

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        return self._continuous(batch) if self.is_box else self._discrete(batch)

    def _discrete(self, batch: dict[str, Any]) -> dict[str, Tensor]:
        """Expectations over all legal actions (Christodoulou 2019, arXiv 1910.07207, eq. 10 to 12)."""
        now = {name: rows for name, rows in batch.items() if name != Columns.ACTIONS}
        later = _following(batch)
        inputs = heads_of(self.network, batch).inputs
        probs, logps = _probabilities(inputs)
        with torch.no_grad():
            probs_next, logps_next = _probabilities(heads_of(self.network, later).inputs)
            target = self.forward_target(later)
        return {
            Columns.ACTION_DIST_INPUTS: inputs, ACTION_PROBS: probs, ACTION_LOG_PROBS: logps,
            ACTION_PROBS_NEXT: probs_next, ACTION_LOG_PROBS_NEXT: logps_next, QF_TARGET_NEXT: target,
            QF_PREDS: _q_values(self.qf, now), QF_TWIN_PREDS: _q_values(self.qf_twin, now),
        }  # fmt: skip

    def _continuous(self, batch: dict[str, Any]) -> dict[str, Tensor]:
        """Actions resampled from the current policy (Haarnoja et al. 2018, arXiv 1812.05905, eq. 5 to 9)."""
        later, distribution = _following(batch), self.network.distribution
        assert isinstance(distribution, SquashedGaussian)
        inputs = heads_of(self.network, batch).inputs
        actions, logp = distribution.rsample(inputs)
        with torch.no_grad():
            actions_next, logp_next = distribution.rsample(heads_of(self.network, later).inputs)
            target = self.forward_target(later | {Columns.ACTIONS: actions_next})
        with _constant(self.qf, self.qf_twin):
            values = self.compute_q_values(batch | {Columns.ACTIONS: actions})
        return {
            Columns.ACTION_DIST_INPUTS: inputs, "logp_resampled": logp, "logp_next_resampled": logp_next,
            "q_curr": values, QF_TARGET_NEXT: target,
            QF_PREDS: _q_values(self.qf, batch), QF_TWIN_PREDS: _q_values(self.qf_twin, batch),
        }  # fmt: skip


def _following(batch: dict[str, Any]) -> dict[str, Any]:
    """The columns of the next observations under the names of the present ones."""
    return {name.removeprefix(NEXT): rows for name, rows in batch.items() if name.startswith(NEXT)}


def _q_values(critic: SoftCritic, batch: dict[str, Any]) -> Tensor:
    memory = {name: batch[MEMORY + name] for name in critic.eyes.memory}
    values: Tensor = critic(batch[Columns.OBS], memory, batch.get(Columns.ACTIONS))
    return values


def _probabilities(logits: Tensor) -> tuple[Tensor, Tensor]:
    """Probabilities and their logarithms, both 0 where illegal."""
    logps = torch.log_softmax(logits, dim=1)
    return logps.exp(), torch.where(logits > ILLEGAL / 2, logps, torch.zeros_like(logps))


@contextmanager
def _constant(*networks: nn.Module) -> Iterator[None]:
    """Gradients pass through the networks to their inputs, not to their weights."""
    for network in networks:
        network.requires_grad_(False)
    try:
        yield
    finally:
        for network in networks:
            network.requires_grad_(True)
