"""From the env's raw observation to what the first layer sees; all of it inside the network, and so in the graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor, nn

from trainer.config.sections import WrapperSettings
from trainer.networks.statistics import RunningMoments

SMALLEST_PICTURE = 16
"""Rows and columns from which on an array of bytes counts as a picture; a board is none."""

INT16_ROWS = 128
"""So many bytes can be added up in 16 bits."""


class Preprocess(nn.Module):
    """`shrink` makes pictures small, (B, rows, columns, channels) to float32 (B, channels, fewer rows, fewer columns)
    from 0 to 1; calling it makes what `shrink` gave float32 (B, *shape): numbers one-hot, vectors flat and normalised.
    """

    def __init__(self, space: Any, wrappers: WrapperSettings) -> None:
        super().__init__()
        self.picture = is_picture(space)
        self._one_hot = _parts(space)
        self._scale = 1.0 / 255.0 if _is_wide(space) else 1.0
        if self.picture:
            self._colours = 1 if len(space.shape) == 2 else int(space.shape[2])
            self._grey = wrappers.grey
            self._block = tuple(_block(size, wrappers.resize) for size in space.shape[:2])
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
        # Adding up rows as small whole numbers first is several times as fast as a mean over the blocks.
        lines = cut.reshape(-1, rows, high, columns * wide * self._colours)
        total = lines[:, :, 0].to(torch.int16 if high <= INT16_ROWS else torch.int32)
        for line in range(1, high):
            total = total + lines[:, :, line]
        if self._grey:
            entries = wide * self._colours
            mean = torch.full((entries, 1), self._scale / (high * entries), device=observation.device)
            return (total.reshape(-1, entries).to(torch.float32) @ mean).reshape(-1, 1, rows, columns)
        blocks = total.reshape(-1, rows, columns, wide, self._colours).to(torch.float32)
        return blocks.sum(dim=3).permute(0, 3, 1, 2) * (self._scale / (high * wide))

    def forward(self, seen: Tensor) -> Tensor:
        rows = self.flat(seen)
        return rows if self.moments is None else self.moments(rows)

    def observe_rows(self, seen: Tensor) -> None:
        if self.moments is not None:
            self.moments.observe(self.flat(seen))

    def flat(self, seen: Tensor) -> Tensor:
        """The same before it is normalised."""
        if self.picture:
            return seen
        if self._one_hot:
            parts = seen.reshape(-1, len(self._one_hot)).long().unbind(dim=1)
            ones = [
                torch.eye(n, device=seen.device)[part - start]
                for part, (n, start) in zip(parts, self._one_hot, strict=True)
            ]
            return torch.cat(ones, dim=1)
        return (seen.to(torch.float32) * self._scale).flatten(1)


def is_picture(space: Any) -> bool:
    """Whether it is an array of bytes (rows, columns) or (rows, columns, at most 4 colours) that is no board."""
    shape = tuple(getattr(space, "shape", None) or ())
    fits = len(shape) == 2 or (len(shape) == 3 and shape[2] <= 4)
    return isinstance(space, spaces.Box) and space.dtype == np.uint8 and fits and min(shape[:2]) >= SMALLEST_PICTURE


def _block(size: int, most: int) -> int:
    """So many pixels side by side become one."""
    return -(-size // most) if most else 1


def _parts(space: Any) -> list[tuple[int, int]]:
    """(how many, smallest) of each number in an observation that consists of them."""
    if isinstance(space, spaces.Discrete):
        return [(int(space.n), int(space.start))]
    if isinstance(space, spaces.MultiDiscrete):
        return [(int(n), int(start)) for n, start in zip(space.nvec.reshape(-1), space.start.reshape(-1), strict=True)]
    return []


def _is_wide(space: Any) -> bool:
    return isinstance(space, spaces.Box) and space.dtype == np.uint8 and float(space.high.max()) > 1.0
