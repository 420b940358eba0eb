"""APPO by RLlib's own algorithm: IMPALA with PPO's clipped loss against a target network (Luo et al. 2020, IMPACT,
arXiv 1912.00167), without its buffer of old batches: each batch is learnt from in a few passes.

The target network is the policy before the first gradient step from a batch.  So it needs no copy: the log
probabilities that it gives to the actions of the batch are computed once.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import torch
from ray.rllib.algorithms.appo import APPOConfig
from ray.rllib.core.columns import Columns
from torch import Tensor

from trainer.algorithms.actor_critic_loss import Objective
from trainer.algorithms.impala import with_pieces
from trainer.algorithms.vtrace import WEIGHTS, Rows, VTraceLearner
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule

CLIP_FRACTION = "clip_fraction"
"""A metric: with one gradient step a batch it would be 0, and the clipping without effect."""

LARGEST_RATIO = 2.0
"""Of the probability that played to the target network's, by which RLlib's loss multiplies."""


class APPOLearner(VTraceLearner):
    """V-trace with the importance weights of the target network."""

    learns_from = (*VTraceLearner.learns_from, WEIGHTS)

    def objective(self, *, entropy: float) -> Objective:
        own: Any = self.config
        return replace(super().objective(entropy=entropy), clip=own.clip_param)

    @torch.no_grad()
    def weighted(self, policy: str, rows: Rows) -> Rows:
        module: Any = self.module[policy].unwrapped()
        inputs = module._forward_train(rows)[Columns.ACTION_DIST_INPUTS]
        target = module.get_train_action_dist_cls().from_logits(inputs).logp(rows[Columns.ACTIONS])
        played = rows[Columns.ACTION_LOGP]
        # The ratio min(played / target, LARGEST_RATIO) x policy / played is one to a single log probability.
        compared = torch.maximum(target, played - math.log(LARGEST_RATIO))
        return {**rows, Columns.ACTION_LOGP: compared, WEIGHTS: (target - played).exp().clamp(max=1)}

    def set_state(self, state: dict[str, Any]) -> None:
        """Earlier versions had a target network, whose parameters are behind the policy's in states of optimizers."""
        for one in state.get("optimizer", {}).values():
            own = len(self.get_optimizer(one["module_id"]).param_groups[0]["params"])
            groups = [group | {"params": group["params"][:own]} for group in one["state"]["param_groups"]]
            one["state"] = one["state"] | {"param_groups": groups}
        super().set_state(state)

    def metrics_of(self, terms: dict[str, Tensor]) -> dict[str, Any]:
        config: Any = self.config
        return super().metrics_of(terms) | {CLIP_FRACTION: clip_fraction(terms, clip=config.clip_param)}


def clip_fraction(terms: dict[str, Tensor], *, clip: float) -> Tensor:
    """The share of decisions whose ratio to the target network's policy is outside 1 - clip to 1 + clip."""
    return ((terms["log_ratio"].exp() - 1).abs() > clip).float().mean()


def make_config(run: RunConfig) -> APPOConfig:
    """The algorithm's own settings of RLlib."""
    settings: Any = run.training
    return with_pieces(APPOConfig(), run).learners(learner_class=APPOLearner).training(clip_param=settings.clip)
