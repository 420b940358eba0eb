"""APPO by RLlib's own algorithm: IMPALA with PPO's clipped loss against a target network (Luo et al. 2020, IMPACT,
arXiv 1912.00167), without its buffer of old batches: each batch is learnt from once, in order of arrival."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.appo import APPOConfig
from ray.rllib.algorithms.appo.torch.appo_torch_learner import APPOTorchLearner

from trainer.algorithms.impala import ThreadedLearner, with_pieces
from trainer.algorithms.several_learners import SeveralLearners
from trainer.config import RunConfig
from trainer.networks.modules import APPOModule

MODULE = APPOModule


class APPOLearner(ThreadedLearner, SeveralLearners, APPOTorchLearner):  # type: ignore[misc]  # RLlib's own bases differ
    """RLlib's own, with its errors raised, for any number of learners."""


def make_config(run: RunConfig) -> APPOConfig:
    """The algorithm's own settings of RLlib; the target network follows after every batch."""
    settings: Any = run.training
    config = with_pieces(APPOConfig(), run).learners(learner_class=APPOLearner)
    return config.training(
        clip_param=settings.clip, use_kl_loss=False, tau=1.0, target_network_update_freq=1,
        use_circular_buffer=False, circular_buffer_num_batches=1, circular_buffer_iterations_per_batch=1,
    )  # fmt: skip
