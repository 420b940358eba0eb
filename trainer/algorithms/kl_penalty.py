"""The pull of a policy toward the snapshot that its run went on from, fading as it learns to do without.

Kickstarting (Schmitt et al. 2018, arXiv 1803.03835, eq. 4) adds the cross-entropy from teacher to policy, with a
coefficient, to the loss.  Here it is KL(teacher || policy), which has the same gradient and is 0 where they agree.
"""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED_LIFETIME
from ray.rllib.utils.typing import TensorType
from torch import Tensor

from trainer.config import RunConfig
from trainer.sampling.reference_logits import INPUTS, PULLED

PULL_KL, PULL_COEFFICIENT = "pull_kl", "pull_coefficient"
"""Figures of a policy that is pulled, in RLlib's results."""


def pull_settings(run: RunConfig) -> dict[str, Any]:
    """For AlgorithmConfig.learner_config_dict."""
    training: Any = run.training
    return {"pull": training.pull, "pull_steps": training.pull_steps}


class PulledLearner(PPOTorchLearner):
    """Mixed into a learner; without the columns of trainer.sampling.reference_logits it changes nothing."""

    def build(self) -> None:
        self._coefficient = 0.0
        self._distances: dict[str, Tensor] = {}  # module id to the divergence of its newest minibatch
        super().build()

    def before_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """Counts the env steps of all runners, also over a resume."""
        super().before_gradient_based_update(timesteps=timesteps)
        settings, steps = self.config.learner_config_dict, timesteps.get(NUM_ENV_STEPS_SAMPLED_LIFETIME, 0)
        self._coefficient = settings.get("pull", 0.0) * max(0.0, 1.0 - steps / settings.get("pull_steps", 1))

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        loss: Any = super().compute_loss_for_module(
            module_id=module_id, config=config, batch=batch, fwd_out=fwd_out
        )  # fmt: skip
        if PULLED not in batch or not self._coefficient:
            return loss
        module: Any = self.module[module_id].unwrapped()
        distances = module.network.draws.divergence(batch[INPUTS], fwd_out[Columns.ACTION_DIST_INPUTS])
        pulled = batch[PULLED] if Columns.LOSS_MASK not in batch else batch[PULLED] & batch[Columns.LOSS_MASK]
        distance = torch.where(pulled, distances, 0.0).sum() / pulled.sum().clamp(min=1)
        self._distances[module_id] = distance.detach()
        return loss + self._coefficient * distance

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        for module_id, distance in self._distances.items():
            figures = {PULL_KL: distance, PULL_COEFFICIENT: self._coefficient}
            self.metrics.log_dict(figures, key=module_id, window=1)
        self._distances = {}
        super().after_gradient_based_update(timesteps=timesteps)
