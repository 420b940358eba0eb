"""PPO by RLlib's own algorithm, with a learner that makes the same updates in less time."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig

from trainer.algorithms.batches import ShuffledBatch
from trainer.algorithms.kl_penalty import KlPenaltyLearner, penalty_settings
from trainer.algorithms.lean_learner import LeanPPOLearner
from trainer.algorithms.several_learners import SeveralLearners
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule


class PPOLearner(KlPenaltyLearner, SeveralLearners, LeanPPOLearner):
    """LeanPPOLearner for any number of learners, with a KL penalty; each normalises the advantages of its share."""


def make_connector(run: RunConfig) -> ShuffledBatch:
    return ShuffledBatch(normalise=True)


def make_config(run: RunConfig) -> PPOConfig:
    """The algorithm's own settings of RLlib."""
    ppo: Any = run.training
    decisions = ppo.minibatch // max(1, run.resources.learners)
    minibatch = decisions // run.network.sequence if run.network.lstm else decisions  # sequences at their longest
    config = PPOConfig().learners(learner_class=PPOLearner, learner_config_dict=penalty_settings(run))
    share = share_of_learner(run)
    return config.training(
        lr=ppo.lr, gamma=ppo.gamma, lambda_=ppo.lambda_, clip_param=ppo.clip, entropy_coeff=ppo.entropy,
        vf_loss_coeff=ppo.value_loss, vf_clip_param=float("inf"), use_kl_loss=False, kl_coeff=0.0,
        grad_clip=ppo.grad_clip, grad_clip_by="global_norm", num_epochs=ppo.epochs,
        minibatch_size=max(1, minibatch), train_batch_size_per_learner=share, shuffle_batch_per_epoch=True,
    )  # fmt: skip


def share_of_learner(run: RunConfig) -> int:
    """Env steps of an iteration for each learner."""
    return max(1, run.training.batch // max(1, run.resources.learners))
