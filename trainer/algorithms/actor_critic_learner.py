"""ActorCriticLearner: the updates of PPO, A2C, IMPALA and APPO, whose losses differ in their targets and clipping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from ray.rllib.algorithms.ppo.ppo import (
    LEARNER_RESULTS_CURR_ENTROPY_COEFF_KEY,
    LEARNER_RESULTS_KL_KEY,
    LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY,
    LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY,
)
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.learner.learner import DEFAULT_OPTIMIZER, ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED_LIFETIME
from ray.rllib.utils.schedules.scheduler import Scheduler
from ray.rllib.utils.torch_utils import explained_variance
from ray.rllib.utils.typing import TensorType
from torch import Tensor

from trainer.algorithms.actor_critic_loss import CategoricalLoss, Objective, add_losses, gradients, loss_of
from trainer.algorithms.kl_penalty import PenalisedLearner
from trainer.algorithms.perceptrons import PerceptronStep
from trainer.algorithms.value_scale import ScaledValueLearner


class ActorCriticLearner(PenalisedLearner, ScaledValueLearner):
    """For any number of learners; with gradients in closed form where actions are discrete."""

    learns_from: tuple[str, ...] = ()
    """The columns of a minibatch that the loss reads besides observations, masks and actions."""

    def build(self) -> None:
        self._newest: dict[str, dict[str, Tensor]] = {}  # module id to the terms of its newest minibatch
        self._perceptrons: dict[str, PerceptronStep] = {}  # of all updates, since they make large tensors once
        config: Any = self.config
        self._entropy = Scheduler(fixed_value_or_schedule=config.entropy_coeff, framework=self.framework)
        self._objective = self.objective(entropy=0.0)
        super().build()

    def objective(self, *, entropy: float) -> Objective:
        """The loss of an update with this coefficient of the entropy."""
        raise NotImplementedError

    def before_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        super().before_gradient_based_update(timesteps=timesteps)
        steps = timesteps.get(NUM_ENV_STEPS_SAMPLED_LIFETIME, 0)
        self._objective = self.objective(entropy=self._entropy.update(timestep=steps))

    def prepare(self, learnt: dict[str, Mapping[str, Tensor]]) -> None:
        super().prepare(learnt)
        self.direct = {}
        for id, rows in learnt.items() if self.config.num_learners < 2 and not self.has_penalty else ():
            module: Any = self.module[id].unwrapped()
            network: Any = getattr(module, "network", None)
            if PerceptronStep.suits(network) and module.get_train_action_dist_cls() is TorchCategorical:
                if id not in self._perceptrons:
                    self._perceptrons[id] = PerceptronStep(network)
                step = self._perceptrons[id]
                learnt[id] = step.begin(rows) | {name: rows[name] for name in self.learns_from}
                self.direct[id] = step.gradient

    @torch.no_grad()
    def learn_directly(self, module_id: str, batch: dict[str, Tensor]) -> None:
        step, terms = self._perceptrons[module_id], self._newest.setdefault(module_id, {})
        step.backward(*gradients(*step.forward(batch), batch, self._objective, terms))

    def direct_loss(self, module_id: str) -> Tensor:
        return add_losses(self._newest[module_id], self._objective)

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        module: Any = self.module[module_id].unwrapped()
        kind, inputs = module.get_train_action_dist_cls(), fwd_out[Columns.ACTION_DIST_INPUTS]
        values = module.compute_values(batch, embeddings=fwd_out.get(Columns.EMBEDDINGS))
        terms = self._newest.setdefault(module_id, {})
        if kind is TorchCategorical:
            loss = CategoricalLoss.apply(inputs, values, batch, self._objective, terms)
        else:
            loss = loss_of(kind.from_logits(inputs), values, batch, self._objective, terms)
        return loss + self.penalty(module_id, batch, inputs)

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        for module_id in self._newest:
            figures = self.metrics_of(self._decisions(module_id))
            coefficient = {LEARNER_RESULTS_CURR_ENTROPY_COEFF_KEY: self._objective.entropy}
            self.metrics.log_dict(figures | coefficient, key=module_id, window=1)
        for module_id, norm in self.norms.items():
            self.metrics.log_value((module_id, f"gradients_{DEFAULT_OPTIMIZER}_global_norm"), norm, window=1)
        self._newest, self.norms = {}, {}
        super().after_gradient_based_update(timesteps=timesteps)

    @torch.no_grad()
    def metrics_of(self, terms: dict[str, Tensor]) -> dict[str, Any]:
        """The metrics of a minibatch by RLlib's names, from the terms of its decisions."""
        explained: Any = explained_variance(terms["targets"], terms["values"])
        return {
            POLICY_LOSS_KEY: -terms["surrogate"].mean(),
            VF_LOSS_KEY: terms["value_loss"].mean(),
            LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY: terms["squares"].mean(),
            LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY: explained,
            ENTROPY_KEY: terms["entropy"].mean(),
            LEARNER_RESULTS_KL_KEY: _divergence(terms["log_ratio"]),
        }

    def divergence(self, module_id: str) -> Tensor:
        """The KL divergence from the policy that played the newest minibatch, before its gradient step."""
        return _divergence(self._decisions(module_id)["log_ratio"])

    def _decisions(self, module_id: str) -> dict[str, Tensor]:
        """The terms of the newest minibatch, (M,) each, without padding."""
        terms = {name: term.detach() for name, term in self._newest[module_id].items()}
        mask = terms.pop("mask", None)
        return terms if mask is None else {name: term[mask] for name, term in terms.items()}


def _divergence(log_ratio: Tensor) -> Tensor:
    """An estimate (Schulman 2020, Approximating KL Divergence)."""
    return (log_ratio.exp() - 1 - log_ratio).mean()
