"""PPO by RLlib's own algorithm, with a learner that makes the same updates in less time."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED_LIFETIME
from ray.rllib.utils.typing import TensorType
from torch import Tensor

from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.lean_learner import LeanPPOLearner
from trainer.algorithms.several_learners import SeveralLearners
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule
from trainer.sampling.learning_seats import HAS_REFERENCE, REFERENCE_INPUTS

MODULE = SeatModule


class PPOLearner(SeveralLearners, LeanPPOLearner):
    """LeanPPOLearner for any number of learners, each of which normalises the advantages of its share.

    A KL penalty, which decays, keeps a policy near the snapshot that the run starts from; its settings are in
    learner_config_dict.  Kickstarting (Schmitt et al. 2018, arXiv 1803.03835, eq. 4) adds the cross-entropy from
    teacher to policy, with a coefficient, to the loss.  Here it is KL(teacher || policy), which has the same gradient
    and is 0 where they agree.  Without the columns of a ReferencePolicy there is no penalty.
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
            figures = {"reference_kl": distance, "kl_penalty_coefficient": self._coefficient}
            self.metrics.log_dict(figures, key=module_id, window=1)
        self._distances = {}
        super().after_gradient_based_update(timesteps=timesteps)


def make_config(run: RunConfig) -> PPOConfig:
    """The algorithm's own settings of RLlib."""
    ppo: Any = run.training
    decisions = ppo.minibatch // max(1, run.resources.learners)
    minibatch = decisions // run.network.sequence if run.network.lstm else decisions  # sequences at their longest
    config = PPOConfig().learners(
        learner_class=PPOLearner, learner_connector=lambda *_: RowsToBatch(piece=1, normalise=True),
        learner_config_dict={"kl_penalty": ppo.kl_penalty, "kl_penalty_steps": ppo.kl_penalty_steps},
    )  # fmt: skip
    return config.training(
        **actor_critic_settings(run), clip_param=ppo.clip, num_epochs=ppo.epochs, minibatch_size=max(1, minibatch),
        shuffle_batch_per_epoch=True,
    )  # fmt: skip


def actor_critic_settings(run: RunConfig) -> dict[str, Any]:
    """RLlib's `training` settings of PPO and A2C."""
    training: Any = run.training
    return {
        "lr": training.lr, "gamma": training.gamma, "lambda_": training.lambda_, "entropy_coeff": training.entropy,
        "vf_loss_coeff": training.value_loss, "vf_clip_param": float("inf"), "use_kl_loss": False, "kl_coeff": 0.0,
        "grad_clip": training.grad_clip, "grad_clip_by": "global_norm",
        "train_batch_size_per_learner": max(1, training.batch // max(1, run.resources.learners)),
    }  # fmt: skip
