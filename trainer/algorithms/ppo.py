"""PPO by RLlib's own algorithm, with a faster learner; runners compute the advantages (`sampling.layouts`)."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing

from trainer.algorithms.actor_critic_learner import ActorCriticLearner
from trainer.algorithms.actor_critic_loss import Objective
from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.schedules import actor_critic_schedules, learner_settings
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule
from trainer.sampling.few_calls import FewCalls

MODULE = SeatModule


class PPOLearner(ActorCriticLearner):
    """Makes the updates of RLlib's PPO learner; each of several learners normalises the advantages of its share."""

    learns_from = (Columns.ACTION_LOGP, Postprocessing.ADVANTAGES, Postprocessing.VALUE_TARGETS)

    def objective(self, *, entropy: float) -> Objective:
        own: Any = self.config
        return Objective(
            clip=own.clip_param, value_loss=own.vf_loss_coeff, value_clip=own.vf_clip_param, entropy=entropy
        )  # fmt: skip


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
