"""The RLModule that RLlib's DQN trains: a QNetwork and its target network."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.dqn.dqn_learner import QF_NEXT_PREDS, QF_PREDS, QF_TARGET_NEXT_PREDS
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, QNetAPI, TargetNetworkAPI
from torch import Tensor

from trainer.config.algorithms.dqn import DQNSettings
from trainer.networks.modules import PolicyModule, copy_of, heads_of, run_of
from trainer.networks.q_network import EpsilonGreedy
from trainer.sampling.transitions import NEXT


class QModule(PolicyModule, QNetAPI, TargetNetworkAPI, InferenceOnlyAPI):
    """Batches are the rows of trainer.sampling.transitions.

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
        later = following(batch)
        with torch.no_grad():
            best, target = self.compute_q_values(later), self.forward_target(later)
        now = self.compute_q_values(batch)
        return {QF_PREDS: now[QF_PREDS], QF_NEXT_PREDS: best[QF_PREDS], QF_TARGET_NEXT_PREDS: target[QF_PREDS]}


def following(batch: dict[str, Any]) -> dict[str, Any]:
    """The columns of the next observations under the names of the present ones."""
    return {name.removeprefix(NEXT): rows for name, rows in batch.items() if name.startswith(NEXT)}
