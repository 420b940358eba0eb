"""FeatureExtractor: from raw observations to features; several policies can share one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from trainer.config import RunConfig
from trainer.networks.encoders import Convolutions, Trunk
from trainer.networks.preprocess import Preprocess

FRAMES = "frames"

Memory = Mapping[str, Tensor]
"""Name to (B, *shape): what a policy keeps of its episode from one decision to the next."""


class FeatureExtractor(nn.Module):
    """Preprocessing, the newest `stack` observations side by side, convolutions for pictures.

    A shared one includes the first hidden layer; `hidden` are the widths of the hidden layers left to the heads.
    """

    def __init__(self, run: RunConfig, space: Any, *, shared: bool = False) -> None:
        super().__init__()
        self.preprocess = Preprocess(space, run.wrappers)
        shape, self._stack = self.preprocess.shape, run.wrappers.stack
        frame = torch.zeros(shape, dtype=torch.uint8 if self.preprocess.picture else torch.float32)
        self.memory = {FRAMES: frame.expand(self._stack - 1, *shape)} if self._stack > 1 else {}
        self.convolutions: Convolutions | None = None
        self.hidden, self.width = tuple(run.network.hidden), self._stack * int(torch.Size(shape).numel())
        if self.preprocess.picture and run.network.convolution:
            self.convolutions = Convolutions((self._stack * shape[0], *shape[1:]))
            self.width = self.convolutions.width
        self.first: Trunk | None = None
        if shared:
            self.first = Trunk(self.width, self.hidden[:1], activation=run.network.activation)
            self.hidden, self.width = self.hidden[1:], self.first.width

    def forward(self, seen: Tensor, memory: Memory) -> tuple[Tensor, dict[str, Tensor]]:
        """Features (B, width) and the next memory."""
        newest = self._frame(seen)
        if not self.memory:
            return self._features(newest), {}
        frames = torch.cat([memory[FRAMES], newest.unsqueeze(1)], dim=1)
        return self._features(frames), {FRAMES: frames[:, 1:]}

    def unroll(self, seen: Tensor, memory: Memory) -> tuple[Tensor, dict[str, Tensor]]:
        """Features (S, T, width) of sequences (S, T, …), and the memory after their last decisions."""
        sequences, ticks = seen.shape[:2]
        newest = self._frame(seen.flatten(0, 1))
        if not self.memory:
            return self._features(newest).unflatten(0, (sequences, ticks)), {}
        frames = torch.cat([memory[FRAMES], newest.unflatten(0, (sequences, ticks))], dim=1)
        windows = torch.stack([frames[:, i : i + ticks] for i in range(self._stack)], dim=2)
        return self._features(windows.flatten(0, 1)).unflatten(0, (sequences, ticks)), {FRAMES: frames[:, ticks:]}

    def _frame(self, seen: Tensor) -> Tensor:
        """The frame to stack: pictures as bytes."""
        return seen if self.preprocess.picture else self.preprocess(seen)

    def _features(self, frames: Tensor) -> Tensor:
        """From (B, *shape) or (B, stack, *shape)."""
        if self.preprocess.picture:
            frames = self.preprocess.flat(frames)
        if self.convolutions is None:
            features = frames.flatten(1)
        else:
            features = self.convolutions(frames.flatten(1, 2) if self.memory else frames)
        return features if self.first is None else self.first(features)
