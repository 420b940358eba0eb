"""A2C: PPO with one epoch over one minibatch, no clipping and no normalisation of advantages is the same algorithm
(Huang et al. 2022, arXiv 2205.09123)."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig

from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.ppo import PPOLearner, actor_critic_settings
from trainer.algorithms.schedules import learner_settings
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule
from trainer.sampling.few_calls import FewCalls

MODULE = SeatModule


class A2CLearner(PPOLearner):
    """One gradient step from the whole batch."""

    def update(self, *args: Any, minibatch_size: int | None = None, **kwargs: Any) -> Any:
        return super().update(*args, minibatch_size=None, **kwargs)


def make_config(run: RunConfig) -> PPOConfig:
    """The algorithm's own settings of RLlib."""
    shared = actor_critic_settings(run)
    config = PPOConfig(algo_class=FewCalls).learners(
        learner_class=A2CLearner, learner_connector=lambda *_: RowsToBatch(),
        learner_config_dict=learner_settings(run),
    )  # fmt: skip
    return config.training(
        **shared, clip_param=float("inf"), num_epochs=1, minibatch_size=shared["train_batch_size_per_learner"],
        shuffle_batch_per_epoch=False,
    )  # fmt: skip
