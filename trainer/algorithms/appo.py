"""APPO by RLlib's own algorithm: IMPALA with PPO's clipped loss against a target network (Luo et al. 2020, IMPACT,
arXiv 1912.00167), whose buffer of old batches is left out: every batch is learnt from once, in the order they come."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.appo import APPOConfig
from ray.rllib.algorithms.appo.torch.appo_torch_learner import APPOTorchLearner

from trainer.algorithms.impala import make_connector, with_pieces
from trainer.algorithms.learner_thread import ThreadedLearner
from trainer.algorithms.several_learners import SeveralLearners
from trainer.config import RunConfig
from trainer.networks.appo_module import APPOModule

__all__ = ["MODULE", "make_config", "make_connector"]

MODULE = APPOModule


class APPOLearner(ThreadedLearner, SeveralLearners, APPOTorchLearner):  # type: ignore[misc]  # RLlib's own bases differ
    """RLlib's own, that tells when it fails; several of them stay equal."""


def make_config(run: RunConfig) -> APPOConfig:
    """RLlib's settings of the algorithm alone; the target network follows after every batch."""
    settings: Any = run.training
    config = with_pieces(APPOConfig(), run).learners(learner_class=APPOLearner)
    return config.training(
        clip_param=settings.clip, use_kl_loss=False, tau=1.0, target_network_update_freq=1,
        use_circular_buffer=False, circular_buffer_num_batches=1, circular_buffer_iterations_per_batch=1,
    )  # fmt: skip
