"""PPO by RLlib's own algorithm, with a faster learner; runners compute the advantages (`sampling.layouts`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.ppo import (
    LEARNER_RESULTS_KL_KEY,
    LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY,
    LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY,
)
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.learner.learner import DEFAULT_OPTIMIZER, ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.utils.torch_utils import explained_variance
from ray.rllib.utils.typing import TensorType
from torch import Tensor

from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.few_calls import FewCalls
from trainer.algorithms.kl_penalty import PenalisedLearner
from trainer.algorithms.perceptrons import PerceptronStep
from trainer.algorithms.ppo_loss import CategoricalLoss, Coefficients, add_losses, loss_of, mean
from trainer.algorithms.schedules import actor_critic_schedules, learner_settings
from trainer.algorithms.value_scale import ScaledValueLearner
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule


class PPOLearner(PenalisedLearner, ScaledValueLearner, PPOTorchLearner):
    """RLlib's PPO learner for any number of learners, each of which normalises the advantages of its share.

    It makes the same updates, with gradients in closed form where actions are discrete.
    """

    def build(self) -> None:
        self._newest: dict[str, dict[str, Tensor]] = {}  # module id to the terms of its newest minibatch
        self._direct: dict[str, PerceptronStep] = {}
        super().build()

    def prepare(self, learnt: dict[str, Mapping[str, Tensor]], size: int) -> None:
        super().prepare(learnt, size)
        self._direct = {}
        for id, rows in learnt.items() if self.config.num_learners < 2 and not self.has_penalty else ():
            module: Any = self.module[id].unwrapped()
            network: Any = getattr(module, "network", None)
            if PerceptronStep.suits(network) and module.get_train_action_dist_cls() is TorchCategorical:
                self._direct[id] = PerceptronStep(network, size=size or len(rows["obs"]))
                learnt[id] = self._direct[id].columns(rows)
        self.direct = {id: step.gradient for id, step in self._direct.items()}

    def learn_directly(self, module_id: str, config: Any, batch: dict[str, Tensor]) -> None:
        terms = self._newest[module_id] = {"targets": batch[Postprocessing.VALUE_TARGETS]}
        self._direct[module_id].learn(batch, self._coefficients(module_id, config), terms)

    def direct_loss(self, module_id: str, config: Any) -> Tensor:
        return add_losses(self._newest[module_id], self._coefficients(module_id, config), None)

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        module: Any = self.module[module_id].unwrapped()
        kind, inputs = module.get_train_action_dist_cls(), fwd_out[Columns.ACTION_DIST_INPUTS]
        values = module.compute_values(batch, embeddings=fwd_out.get(Columns.EMBEDDINGS))
        settings = self._coefficients(module_id, config)
        terms = {"values": values, "targets": batch[Postprocessing.VALUE_TARGETS]}
        if Columns.LOSS_MASK in batch:
            terms["mask"] = batch[Columns.LOSS_MASK]
        self._newest[module_id] = terms
        if kind is TorchCategorical:
            loss = CategoricalLoss.apply(inputs, values, batch, settings, terms)
        else:
            loss = loss_of(kind.from_logits(inputs), values, batch, settings, terms)
        return loss + self.penalty(module_id, batch, inputs)

    def _coefficients(self, module_id: str, config: Any) -> Coefficients:
        entropy: Any = self.entropy_coeff_schedulers_per_module[module_id].get_current_value()
        return Coefficients(
            clip=config.clip_param, value_loss=config.vf_loss_coeff, value_clip=config.vf_clip_param, entropy=entropy
        )  # fmt: skip

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        for module_id, terms in self._newest.items():
            self.metrics.log_dict(self.metrics_of(terms), key=module_id, window=1)
        for module_id, norm in self.norms.items():
            self.metrics.log_value((module_id, f"gradients_{DEFAULT_OPTIMIZER}_global_norm"), norm, window=1)
        self._newest, self.norms = {}, {}
        super().after_gradient_based_update(timesteps=timesteps)

    @torch.no_grad()
    def metrics_of(self, terms: dict[str, Tensor]) -> dict[str, Tensor]:
        """RLlib's own metrics of a minibatch."""
        mask: Tensor | None = terms.get("mask")
        explained: Any = explained_variance(terms["targets"], terms["values"])
        return {
            POLICY_LOSS_KEY: -mean(terms["surrogate"], mask),
            VF_LOSS_KEY: mean(terms["value_loss"], mask),
            LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY: mean(terms["squares"], mask),
            LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY: explained,
            ENTROPY_KEY: mean(terms["entropy"], mask),
            LEARNER_RESULTS_KL_KEY: _divergence(terms["log_ratio"], mask),
        }

    def divergence(self, module_id: str) -> Tensor:
        """The KL divergence from the policy that played the newest minibatch, before its gradient step."""
        terms = self._newest[module_id]
        return _divergence(terms["log_ratio"].detach(), terms.get("mask"))


def _divergence(log_ratio: Tensor, mask: Tensor | None) -> Tensor:
    """An estimate (Schulman 2020, Approximating KL Divergence)."""
    return mean(log_ratio.exp() - 1 - log_ratio, mask)


def make_config(run: RunConfig) -> PPOConfig:
    """The algorithm's own settings of RLlib."""
    ppo: Any = run.training
    decisions = ppo.minibatch // max(1, run.resources.learners)
    minibatch = decisions // run.network.sequence if run.network.lstm else decisions  # sequences at their longest
    config = PPOConfig(algo_class=FewCalls).learners(
        learner_class=PPOLearner, learner_connector=lambda *_: RowsToBatch(normalise=True),
        learner_config_dict=learner_settings(run),
    )  # fmt: skip
    return config.training(
        **actor_critic_settings(run), clip_param=ppo.clip, num_epochs=ppo.epochs, minibatch_size=max(1, minibatch),
        shuffle_batch_per_epoch=True,
    )  # fmt: skip


def actor_critic_settings(run: RunConfig) -> dict[str, Any]:
    """RLlib's `training` settings of PPO and A2C."""
    training: Any = run.training
    return {
        **actor_critic_schedules(run), "gamma": training.gamma, "lambda_": training.lambda_,
        "vf_loss_coeff": training.value_loss, "vf_clip_param": float("inf"), "use_kl_loss": False, "kl_coeff": 0.0,
        "grad_clip": training.grad_clip, "grad_clip_by": "global_norm",
        "train_batch_size_per_learner": max(1, training.batch // max(1, run.resources.learners)),
    }  # fmt: skip
