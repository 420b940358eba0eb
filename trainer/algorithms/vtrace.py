"""VTraceLearner: learns from the pieces of `sampling.layouts` by V-trace, with the targets of each minibatch its own.

Values of mean 0 and deviation 1 are PopArt-IMPALA (Hessel et al. 2018, "Multi-task deep reinforcement learning with
PopArt", arXiv 1809.04474, section 3): V-trace is linear in rewards and values, so that its targets and advantages are
normalised where both are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing
from torch import Tensor

from trainer.algorithms.actor_critic_learner import ActorCriticLearner
from trainer.algorithms.actor_critic_loss import Batch, Objective
from trainer.algorithms.value_moments import Scale

WEIGHTS = "importance_weights"
"""A column, float32 (P, L): the clipped importance weights rho of decisions, where the present policy has no part in
them."""

Rows = Mapping[str, Tensor]


class VTraceLearner(ActorCriticLearner):
    """Batches have columns (P, L, …): pieces in the layout of `sequence_columns`."""

    learns_from: tuple[str, ...] = (Columns.ACTION_LOGP, Columns.REWARDS, Columns.TERMINATEDS, Columns.LOSS_MASK)

    def objective(self, *, entropy: float) -> Objective:
        own: Any = self.config
        return Objective(clip=None, value_loss=own.vf_loss_coeff / 2, entropy=entropy, estimate=self.estimate)

    def prepare(self, learnt: dict[str, Rows]) -> None:
        for id, rows in learnt.items():
            learnt[id] = self.weighted(id, trimmed(rows))
        super().prepare(learnt)

    def weighted(self, policy: str, rows: Rows) -> Rows:
        """The whole batch of a policy, before its first gradient step."""
        return rows

    def estimate(self, batch: Batch, log_ratio: Tensor, values: Tensor) -> Batch:
        """The minibatch with V-trace's targets and advantages."""
        weights = batch[WEIGHTS] if WEIGHTS in batch else log_ratio.exp().clamp(max=1)
        targets, advantages = vtrace(batch, values, weights, gamma=self.gamma)
        return batch | {Postprocessing.VALUE_TARGETS: targets, Postprocessing.ADVANTAGES: advantages}

    @property
    def gamma(self) -> float:
        """The discount per decision."""
        config: Any = self.config
        return float(config.gamma)

    @torch.no_grad()
    def value_targets(self, policy: str, rows: Rows) -> Tensor:
        """Those of the policy that played."""
        module: Any = self.module[policy].unwrapped()
        decided = rows[Columns.LOSS_MASK]
        targets, _ = vtrace(rows, module.compute_values(rows), decided.float(), gamma=self.gamma)
        return targets[decided]

    def normalised(self, rows: Rows, scale: Scale) -> dict[str, Tensor]:
        return {Columns.REWARDS: normalised_rewards(rows, scale, gamma=self.gamma)}


def vtrace(rows: Rows, values: Tensor, weights: Tensor, *, gamma: float) -> tuple[Tensor, Tensor]:
    """Value targets and advantages, (P, L) each (Espeholt et al. 2018, arXiv 1802.01561, eq. 1 and section 4.2).

    `weights` (P, L) are both rho and c, and 0 in rows without a decision, as the last of each piece is one.
    """
    rewards, followed = rows[Columns.REWARDS], gamma * (~rows[Columns.TERMINATEDS]).to(values.dtype)
    errors = weights * (rewards + followed * _next(values) - values)
    steps = zip(errors.unbind(1)[-2::-1], (followed * weights).unbind(1)[-2::-1], strict=True)
    corrections = [torch.zeros_like(values[:, 0])]
    for error, factor in steps:
        corrections.append(torch.addcmul(error, factor, corrections[-1]))
    targets = values + torch.stack(corrections[::-1], 1)
    return targets, weights * (rewards + followed * _next(targets) - values)


def _next(column: Tensor) -> Tensor:
    """(P, L): each row has what the next one had; the last row's does not matter."""
    return column.roll(-1, 1)


def normalised_rewards(rows: Rows, scale: Scale, *, gamma: float) -> Tensor:
    """Rewards by which V-trace of normalised values is the normalised V-trace."""
    followed = gamma * (~rows[Columns.TERMINATEDS]).to(torch.float32)
    return (rows[Columns.REWARDS] - scale.mean * (1 - followed)) / scale.deviation


def trimmed(rows: Rows) -> Rows:
    """The rows without those that are padding in every piece: games of turns do not fill theirs."""
    decided = rows[Columns.LOSS_MASK]
    length = int(decided.any(0).nonzero().max()) + 2  # and the row after the last decision
    if length >= decided.shape[1]:
        return rows
    return {name: column[:, :length].contiguous() for name, column in rows.items()}
