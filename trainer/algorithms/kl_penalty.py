"""KL penalty to a reference policy: keeps training near the snapshot that a run starts from, and decays.

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

from trainer.sampling.learning_seats import HAS_REFERENCE, REFERENCE_INPUTS

REFERENCE_KL, KL_COEFFICIENT = "reference_kl", "kl_penalty_coefficient"
"""Metrics of a policy with a reference, in RLlib's results."""


class KlPenaltyLearner(PPOTorchLearner):
    """Mixed into a learner; without the columns of a ReferencePolicy it changes nothing.

    Reads `kl_penalty` and `kl_penalty_steps` from learner_config_dict.
    """

    def build(self) -> None:
        self._coefficient = 0.0
        self._distances: dict[str, Tensor] = {}  # module id to the divergence of its newest minibatch
        super().build()

    def before_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """Decay the coefficient by the env steps of all runners, also over a resume."""
        super().before_gradient_based_update(timesteps=timesteps)
        settings, steps = self.config.learner_config_dict, timesteps.get(NUM_ENV_STEPS_SAMPLED_LIFETIME, 0)
        decay = max(0.0, 1.0 - steps / settings.get("kl_penalty_steps", 1))
        self._coefficient = settings.get("kl_penalty", 0.0) * decay

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        loss: Any = super().compute_loss_for_module(module_id=module_id, config=config, batch=batch, fwd_out=fwd_out)
        if HAS_REFERENCE not in batch or not self._coefficient:
            return loss
        module: Any = self.module[module_id].unwrapped()
        distances = module.network.distribution.divergence(batch[REFERENCE_INPUTS], fwd_out[Columns.ACTION_DIST_INPUTS])
        rows = batch[HAS_REFERENCE]
        rows = rows & batch[Columns.LOSS_MASK] if Columns.LOSS_MASK in batch else rows
        distance = torch.where(rows, distances, 0.0).sum() / rows.sum().clamp(min=1)
        self._distances[module_id] = distance.detach()
        return loss + self._coefficient * distance

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        for module_id, distance in self._distances.items():
            figures = {REFERENCE_KL: distance, KL_COEFFICIENT: self._coefficient}
            self.metrics.log_dict(figures, key=module_id, window=1)
        self._distances = {}
        super().after_gradient_based_update(timesteps=timesteps)
