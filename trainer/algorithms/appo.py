"""APPO by RLlib's own algorithm: IMPALA with PPO's clipped loss against a target network (Luo et al. 2020, IMPACT,
arXiv 1912.00167), without its buffer of old batches: each batch is learnt from in a few passes, in order of arrival."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.appo import APPOConfig
from ray.rllib.algorithms.appo.torch.appo_torch_learner import APPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.utils.typing import TensorType
from torch import Tensor

from trainer.algorithms.impala import ThreadedLearner, with_pieces
from trainer.algorithms.kl_penalty import PenalisedLearner
from trainer.algorithms.several_learners import SeveralLearners
from trainer.algorithms.vtrace_scale import ScaledVTraceLearner
from trainer.config import RunConfig
from trainer.networks.modules import APPOModule

MODULE = APPOModule

CLIP_FRACTION = "clip_fraction"
"""A metric: with one gradient step a batch it would be 0, and the clipping without effect."""


class APPOLearner(PenalisedLearner, ThreadedLearner, ScaledVTraceLearner, SeveralLearners, APPOTorchLearner):  # type: ignore[misc]  # RLlib's own bases differ
    """RLlib's own, with its errors raised, for any number of learners, and with the clip fraction."""

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        loss = super().compute_loss_for_module(module_id=module_id, config=config, batch=batch, fwd_out=fwd_out)
        module: Any = self.module[module_id].unwrapped()
        fraction = clip_fraction(module, batch, fwd_out[Columns.ACTION_DIST_INPUTS], clip=config.clip_param)
        self.metrics.log_value((module_id, CLIP_FRACTION), fraction, window=1)
        return loss + self.penalty(module_id, batch, fwd_out[Columns.ACTION_DIST_INPUTS])


@torch.no_grad()
def clip_fraction(module: Any, batch: dict[str, Any], inputs: Tensor, *, clip: float) -> Tensor:
    """The share of decisions whose ratio to the target network's policy is outside 1 - clip to 1 + clip."""
    kind, rows = module.get_train_action_dist_cls(), batch[Columns.LOSS_MASK]
    own, target = (kind.from_logits(part).logp(batch[Columns.ACTIONS]) for part in (inputs, module.newest_target))
    ratio = torch.exp(own - target)[rows]
    return ((ratio - 1).abs() > clip).float().mean()


def make_config(run: RunConfig) -> APPOConfig:
    """The algorithm's own settings of RLlib; the target network follows after all passes over a batch."""
    settings: Any = run.training
    config = with_pieces(APPOConfig(), run).learners(learner_class=APPOLearner)
    return config.training(
        clip_param=settings.clip, use_kl_loss=False, tau=1.0, target_network_update_freq=0,
        use_circular_buffer=False, circular_buffer_num_batches=1, circular_buffer_iterations_per_batch=1,
    )  # fmt: skip
