"""A2C: PPO with one epoch over one minibatch, no clipping and no normalisation of advantages is the same algorithm
(Huang et al. 2022, arXiv 2205.09123)."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig

from trainer.algorithms.batches import ShuffledBatch
from trainer.algorithms.ppo import PPOLearner, share_of_learner
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule


class A2CLearner(PPOLearner):
    """One gradient step from the whole batch."""

    def _create_iterator_if_necessary(self, *, minibatch_size: int | None = None, **kwargs: Any) -> Any:
        return super()._create_iterator_if_necessary(minibatch_size=None, **kwargs)


def make_connector(run: RunConfig) -> ShuffledBatch:
    return ShuffledBatch(normalise=False)


def make_config(run: RunConfig) -> PPOConfig:
    """The algorithm's own settings of RLlib."""
    a2c: Any = run.training
    share = share_of_learner(run)
    return PPOConfig().learners(learner_class=A2CLearner).training(
        lr=a2c.lr, gamma=a2c.gamma, lambda_=a2c.lambda_, clip_param=float("inf"), entropy_coeff=a2c.entropy,
        vf_loss_coeff=a2c.value_loss, vf_clip_param=float("inf"), use_kl_loss=False, kl_coeff=0.0,
        grad_clip=a2c.grad_clip, grad_clip_by="global_norm", num_epochs=1,
        minibatch_size=share, train_batch_size_per_learner=share, shuffle_batch_per_epoch=False,
    )  # fmt: skip
