"""PPO by RLlib's own algorithm, with a learner that makes the same updates faster."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig

from trainer.algorithms.batches import DecisionsToBatch
from trainer.algorithms.kl_penalty import KlPenaltyLearner, penalty_settings
from trainer.algorithms.lean_learner import LeanPPOLearner
from trainer.algorithms.several_learners import SeveralLearners
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule


class PPOLearner(KlPenaltyLearner, SeveralLearners, LeanPPOLearner):
    """LeanPPOLearner for one learner or several, with a KL penalty; each normalises the advantages of its own share."""


def make_connector(run: RunConfig) -> DecisionsToBatch:
    return DecisionsToBatch(normalise=True)


def make_config(run: RunConfig) -> PPOConfig:
    """RLlib's settings of the algorithm alone."""
    ppo: Any = run.training
    config = PPOConfig().learners(learner_class=PPOLearner, learner_config_dict=penalty_settings(run))
    return config.training(
        lr=ppo.lr, gamma=ppo.gamma, lambda_=ppo.lambda_, clip_param=ppo.clip, entropy_coeff=ppo.entropy,
        vf_loss_coeff=ppo.value_loss, vf_clip_param=float("inf"), use_kl_loss=False, kl_coeff=0.0,
        grad_clip=ppo.grad_clip, grad_clip_by="global_norm", num_epochs=ppo.epochs,
        minibatch_size=_minibatch(run), train_batch_size_per_learner=_share(run), shuffle_batch_per_epoch=True,
    )  # fmt: skip


def _minibatch(run: RunConfig) -> int:
    """Rows of a learner's gradient step: decisions, or sequences of a recurrent network, those at their longest."""
    decisions = run.training.minibatch // max(1, run.resources.learners)
    return max(1, decisions // run.network.sequence if run.network.lstm else decisions)


def _share(run: RunConfig) -> int:
    """Env steps of an iteration for each learner."""
    return max(1, run.training.batch // max(1, run.resources.learners))
