"""ResidualTower: residual blocks over the planes of a board."""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from torch import Tensor, nn

from trainer.config import ConfigError
from trainer.networks.spaces import is_picture

LEAST = 3
"""Rows and columns of the smallest board."""

FEATURES = 8
"""Planes of the output; few, so that the first layers of the heads stay small (AlphaGo Zero: 2 and 1)."""


class ResidualBlock(nn.Module):
    """Two convolutions and a skip connection (He et al. 2016, arXiv 1512.03385).

    The second starts at zero, so each block starts as the identity, and deep towers learn without batch normalisation
    (Zhang et al. 2019, Fixup Initialization, arXiv 1901.09321), which works differently in play and in learning.
    """

    def __init__(self, filters: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(filters, filters, 3, padding=1)
        self.second = nn.Conv2d(filters, filters, 3, padding=1)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)  # type: ignore[arg-type]  # it has one

    def forward(self, planes: Tensor) -> Tensor:
        return torch.relu(planes + self.second(torch.relu(self.first(planes))))


class ResidualTower(nn.Module):
    """Boards (B, planes, rows, columns) to features (B, width), after Silver et al. 2017 (Nature 550, 354)."""

    def __init__(self, shape: tuple[int, int, int], blocks: int, filters: int) -> None:
        super().__init__()
        planes, rows, columns = shape
        self.first = nn.Conv2d(planes, filters, 3, padding=1)
        self.blocks = nn.Sequential(*(ResidualBlock(filters) for _ in range(blocks)))
        self.last = nn.Conv2d(filters, FEATURES, 1)
        self.width = FEATURES * rows * columns

    def forward(self, boards: Tensor) -> Tensor:
        planes = self.blocks(torch.relu(self.first(boards)))
        return torch.relu(self.last(planes)).flatten(1)


def board_shape(space: Any) -> tuple[int, int, int]:
    """(rows, columns, planes) of a board; raises ConfigError for other observations."""
    shape = tuple(getattr(space, "shape", None) or ())
    if not isinstance(space, spaces.Box) or is_picture(space) or len(shape) != 3 or min(shape[:2]) < LEAST:
        raise ConfigError(
            f"network.residual_blocks: expected observations that are boards, (rows, columns, planes), got: {space}; "
            "set it to 0"
        )
    return shape[0], shape[1], shape[2]
