"""PenalisedLearner: keeps policies near reference policies by a KL penalty in their losses."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED_LIFETIME
from torch import Tensor

from trainer.algorithms.row_learner import RowLearner
from trainer.config import RunConfig
from trainer.config.algorithms.algorithm import KLPenaltySettings
from trainer.sampling.layouts import HAS_REFERENCE, REFERENCE_INPUTS


class PenalisedLearner(RowLearner):
    """Mixed into a learner, whose loss of a policy adds `penalty`; settings are in learner_config_dict.

    KL(reference || policy) is kickstarting's cross-entropy but for a constant (Schmitt et al. 2018, arXiv 1803.03835,
    eq. 4); KL(policy || reference) is the regulariser of piKL (Jacob et al. 2022, arXiv 2112.07544, eq. 1).  Without
    the columns of a ReferencePolicy there is no penalty.
    """

    def build(self) -> None:
        self._distances: dict[str, Tensor] = {}  # module id to the divergence of its newest minibatch
        self._coefficient = 0.0
        super().build()

    def before_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """Fade the coefficient by the env steps of all runners, also over a resume."""
        super().before_gradient_based_update(timesteps=timesteps)
        settings, steps = self.config.learner_config_dict, timesteps.get(NUM_ENV_STEPS_SAMPLED_LIFETIME, 0)
        self._coefficient = faded(settings.get("kl_penalty", 0.0), settings.get("kl_penalty_steps", 0), steps)

    @property
    def has_penalty(self) -> bool:
        """Whether the penalty of this update is not 0."""
        return self._coefficient > 0

    def penalty(self, module_id: str, batch: dict[str, Any], inputs: Tensor) -> Any:
        """The coefficient times the mean divergence of the decisions that have a reference, from its inputs and the
        policy's."""
        if HAS_REFERENCE not in batch or not self._coefficient:
            return 0.0
        module: Any = self.module[module_id].unwrapped()
        pair = (batch[REFERENCE_INPUTS], inputs)
        forward = self.config.learner_config_dict["kl_direction"] == "forward"
        distances = module.network.distribution.divergence(*(pair if forward else pair[::-1]))
        rows = batch[HAS_REFERENCE]
        rows = rows & batch[Columns.LOSS_MASK] if Columns.LOSS_MASK in batch else rows
        distance = torch.where(rows, distances, 0.0).sum() / rows.sum().clamp(min=1)
        self._distances[module_id] = distance.detach()
        return self._coefficient * distance

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        for module_id, distance in self._distances.items():
            figures = {"reference_kl": distance, "kl_penalty_coefficient": self._coefficient}
            self.metrics.log_dict(figures, key=module_id, window=1)
        self._distances = {}
        super().after_gradient_based_update(timesteps=timesteps)


def faded(penalty: float, fade_steps: int, steps: int) -> float:
    """The coefficient after `steps` env steps; it is constant where `fade_steps` is 0."""
    return penalty * max(0.0, 1.0 - steps / fade_steps) if fade_steps else penalty


def penalty_settings(run: RunConfig) -> dict[str, Any]:
    """The KL penalty's part of a run's learner_config_dict."""
    training = run.training
    return training.model_dump(include=set(KLPenaltySettings.model_fields)) if run.has_kl_penalty else {}
