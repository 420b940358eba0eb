"""PPO by RLlib's own algorithm, with a learner that makes the same updates in less time."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig

from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.kl_penalty import KlPenaltyLearner
from trainer.algorithms.lean_learner import LeanPPOLearner
from trainer.algorithms.several_learners import SeveralLearners
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule


class PPOLearner(KlPenaltyLearner, SeveralLearners, LeanPPOLearner):
    """LeanPPOLearner for any number of learners, with a KL penalty; each normalises the advantages of its share."""


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
