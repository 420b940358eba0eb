"""Running mean and variance of what a network sees."""

from __future__ import annotations

import torch
from torch import Tensor, nn

LIMIT = 10.0
"""Normalised values are cut off here, in standard deviations."""

SMALLEST = 1e-8


class RunningMoments(nn.Module):
    """Shifts and scales rows (B, features) by mean and deviation of all rows that `observe` was given.

    They are buffers, so they go wherever the weights go: to the runners, into checkpoints and graphs.  The learner
    connector calls `observe` once for each batch, before it is learnt from; several learners, each with its part of
    the batch, then average theirs.
    """

    count: Tensor
    mean: Tensor
    variance: Tensor

    def __init__(self, features: int) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("variance", torch.ones(features))

    def forward(self, rows: Tensor) -> Tensor:
        return ((rows - self.mean) / torch.sqrt(self.variance + SMALLEST)).clamp(-LIMIT, LIMIT)

    @torch.no_grad()
    def observe(self, rows: Tensor) -> None:
        """Chan et al. 1979, "Updating formulae and a pairwise algorithm for computing sample variances", (2.1)."""
        if not len(rows):
            return
        mean, variance = rows.mean(dim=0), rows.var(dim=0, unbiased=False)
        total = self.count + len(rows)
        share, difference = len(rows) / total, mean - self.mean
        spread = self.variance * (1 - share) + variance * share + difference**2 * share * (1 - share)
        # In place: optimizers, exporters and other holders of the module keep looking at these very tensors.
        self.variance.copy_(torch.where(self.count > 0, spread, variance))
        self.mean.add_(difference * share)
        self.count.copy_(total)
