"""The RLModule that RLlib's DQN trains: a QNetwork and its target network."""

from __future__ import annotations

from typing import Any, TypeVar

import torch
from ray.rllib.algorithms.dqn.dqn_learner import QF_NEXT_PREDS, QF_PREDS, QF_TARGET_NEXT_PREDS
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, QNetAPI, TargetNetworkAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from trainer.config.algorithms.dqn import DQNSettings
from trainer.networks.make import make_network
from trainer.networks.modules import ACTION_MASK, MEMORY, run_of
from trainer.networks.q_network import EpsilonGreedy
from trainer.networks.seat import Heads, SeatNetwork
from trainer.sampling.transitions import NEXT

Network = TypeVar("Network", bound=nn.Module)


class QModule(TorchRLModule, QNetAPI, TargetNetworkAPI, InferenceOnlyAPI):
    """Batches are the rows of trainer.sampling.transitions.

    The share of random actions is a buffer, so that it goes to the runners with the weights and into checkpoints.
    """

    epsilon: Tensor

    def setup(self) -> None:
        super().setup()
        run = run_of(self)
        assert isinstance(run.training, DQNSettings)
        self.network = make_network(run, self.observation_space, self.action_space)
        self._schedule = (*run.training.epsilon, run.training.epsilon_steps)
        self.register_buffer("epsilon", torch.tensor([self._schedule[0]]))
        assert isinstance(self.network.draws, EpsilonGreedy)
        self.network.draws.epsilon = self.epsilon

    def anneal(self, env_steps: int) -> None:
        """Set the share of random actions to what it is after so many env steps."""
        start, end, steps = self._schedule
        self.epsilon.fill_(start + (end - start) * min(1.0, env_steps / steps))

    def observe_rows(self, seen: Tensor) -> None:
        self.network.observe_rows(seen)

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

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        return {Columns.ACTION_DIST_INPUTS: heads_of(self.network, batch).inputs}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        """What follows is valued with its own legal actions, by both networks (van Hasselt et al. 2015)."""
        later = following(batch)
        with torch.no_grad():
            best, target = self.compute_q_values(later), self.forward_target(later)
        now = self.compute_q_values(batch)
        return {QF_PREDS: now[QF_PREDS], QF_NEXT_PREDS: best[QF_PREDS], QF_TARGET_NEXT_PREDS: target[QF_PREDS]}


def copy_of(network: Network) -> Network:
    """A target network: RLlib's function, which is annotated more loosely than what it does."""
    copy: Any = make_target_network(network)
    target: Network = copy
    return target


def heads_of(network: SeatNetwork, batch: dict[str, Any]) -> Heads:
    """What the network says of what was seen in the rows."""
    memory = {name: batch[MEMORY + name] for name in network.memory}
    return network.decide(batch[Columns.OBS], batch.get(ACTION_MASK), memory)


def following(batch: dict[str, Any]) -> dict[str, Any]:
    """The columns of what was seen afterwards, under the names of what is seen."""
    return {name.removeprefix(NEXT): rows for name, rows in batch.items() if name.startswith(NEXT)}
