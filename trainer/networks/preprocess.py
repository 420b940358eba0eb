"""Preprocessing of raw observations, inside the network and so in the graphs of snapshots."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor, nn

from trainer.config.sections import WrapperSettings
from trainer.networks.spaces import is_picture

INT16_ROWS = 128
"""The number of bytes whose sum fits into 16 bits."""

LIMIT = 10.0
"""Normalised values are cut off here, in standard deviations."""

SMALLEST = 1e-8


class Preprocess(nn.Module):
    """`shrink` makes pictures small: (B, rows, columns, channels) to uint8 (B, channels, fewer rows, fewer columns).

    `flat` turns the result into float32 (B, *shape): numbers one-hot, bytes and pictures from 0 to 1, vectors flat;
    `normalised` divides these by their deviations, and a call does both.
    """

    def __init__(self, space: Any, wrappers: WrapperSettings) -> None:
        super().__init__()
        self.picture = is_picture(space)
        self._one_hot = _categories(space)
        self._scale = 1.0 / 255.0 if _is_wide(space) else 1.0
        if self.picture:
            self._colours = 1 if len(space.shape) == 2 else int(space.shape[2])
            self._grey = wrappers.grey
            self._brightness = 1.0 if _is_wide(space) else 255.0
            most = wrappers.resize  # a block of neighbouring pixels becomes one
            self._block = tuple(-(-size // most) if most else 1 for size in space.shape[:2])
            rows, columns = (size // block for size, block in zip(space.shape[:2], self._block, strict=True))
            self.shape: tuple[int, ...] = (1 if self._grey else self._colours, rows, columns)
        else:
            self.shape = (sum(n for n, _ in self._one_hot) or int(np.prod(space.shape)),)
        self.moments = RunningMoments(self.shape[0]) if wrappers.normalise and not self.picture else None

    def shrink(self, observation: Tensor) -> Tensor:
        if not self.picture:
            return observation
        rows, columns = self.shape[1:]
        high, wide = self._block
        cut = observation.reshape(*observation.shape[:3], self._colours)[:, : rows * high, : columns * wide]
        # Summing rows as small integers first is several times as fast as a mean over the blocks.  All is exact up to
        # the one division, so that torch and onnxruntime round alike.
        lines = cut.reshape(-1, rows, high, columns * wide * self._colours)
        total = lines[:, :, 0].to(torch.int16 if high <= INT16_ROWS else torch.int32)
        for line in range(1, high):
            total = total + lines[:, :, line]
        if self._grey:
            entries = wide * self._colours
            ones = torch.ones((entries, 1), device=observation.device)
            sums = (total.reshape(-1, entries).to(torch.float32) @ ones).reshape(-1, 1, rows, columns)
        else:
            entries = wide
            blocks = total.reshape(-1, rows, columns, wide, self._colours).to(torch.float32)
            sums = blocks.sum(dim=3).permute(0, 3, 1, 2)
        return torch.floor(sums * self._brightness / float(high * entries) + 0.5).to(torch.uint8)

    def forward(self, seen: Tensor) -> Tensor:
        return self.normalised(self.flat(seen))

    def normalised(self, rows: Tensor) -> Tensor:
        """Rows (…, *shape) of `flat`, by the present mean and deviation where the run normalises."""
        return rows if self.moments is None else self.moments(rows)

    def observe_rows(self, seen: Tensor) -> None:
        if self.moments is not None:
            self.moments.observe(self.flat(seen))

    def flat(self, seen: Tensor) -> Tensor:
        """The values of a call before normalisation; pictures may have more leading axes."""
        if self.picture:
            return seen.to(torch.float32) * (1.0 / 255.0)
        if self._one_hot:
            parts = zip(seen.reshape(-1, len(self._one_hot)).long().unbind(dim=1), self._one_hot, strict=True)
            return torch.cat([torch.eye(n, device=seen.device)[part - start] for part, (n, start) in parts], dim=1)
        return (seen.to(torch.float32) * self._scale).flatten(1)


def _categories(space: Any) -> list[tuple[int, int]]:
    """(count, smallest) of each category in a Discrete or MultiDiscrete observation."""
    if isinstance(space, spaces.Discrete):
        return [(int(space.n), int(space.start))]
    if isinstance(space, spaces.MultiDiscrete):
        return [(int(n), int(start)) for n, start in zip(space.nvec.reshape(-1), space.start.reshape(-1), strict=True)]
    return []


def _is_wide(space: Any) -> bool:
    return isinstance(space, spaces.Box) and space.dtype == np.uint8 and float(space.high.max()) > 1.0


class RunningMoments(nn.Module):
    """Normalises rows (B, features) by the mean and variance of all rows passed to `observe`.

    Both are buffers, so they travel with the weights: to runners, checkpoints and graphs.  The learner calls
    `observe` once for each batch, after learning from it.
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
