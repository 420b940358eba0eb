"""Layers between observations and heads: perceptrons, convolutions, a recurrent layer, and the FeatureExtractor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from trainer.config import RunConfig
from trainer.networks.preprocess import Preprocess
from trainer.networks.residual import ResidualTower, board_shape

GAIN = 2.0**0.5
ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}

FRAMES = "frames"

Memory = Mapping[str, Tensor]
"""Name to (B, *shape): what a policy keeps of its episode from one decision to the next."""


class Trunk(nn.Module):
    """A perceptron, orthogonal weights (Andrychowicz et al. 2020, arXiv 2006.05990).

    With `outputs` 0 it ends with the activation of its last hidden layer, `width` wide.
    """

    def __init__(
        self, features: int, hidden: Sequence[int], outputs: int = 0, *,
        last_gain: float = GAIN, activation: str = "tanh",
    ) -> None:  # fmt: skip
        super().__init__()
        layers: list[nn.Module] = []
        for width in hidden:
            layers += [initialised(nn.Linear(features, width)), ACTIVATIONS[activation]()]
            features = width
        if outputs:
            layers.append(initialised(nn.Linear(features, outputs), last_gain))
        self.width = outputs or features
        self.layers = nn.Sequential(*layers)

    def forward(self, features: Tensor) -> Tensor:
        out: Tensor = self.layers(features)
        return out


class Convolutions(nn.Module):
    """Pictures (B, channels, rows, columns) to features (B, width), after Mnih et al. 2015 (Nature 518, 529).

    Each layer halves the picture (the first of a big one quarters it), until it is about 7 by 7, as in the paper.
    """

    def __init__(self, shape: Sequence[int]) -> None:
        super().__init__()
        channels, rows, columns = shape
        layers: list[nn.Module] = []
        for filters, kernel, stride in _sizes(rows, columns):
            layers += [initialised(nn.Conv2d(channels, filters, kernel, stride)), nn.ReLU()]
            channels, rows, columns = filters, (rows - kernel) // stride + 1, (columns - kernel) // stride + 1
        self.layers = nn.Sequential(*layers)
        self.width = channels * rows * columns

    def forward(self, pictures: Tensor) -> Tensor:
        out: Tensor = self.layers(pictures)
        return out.flatten(1)


class Recurrence(nn.Module):
    """A long short-term memory (Hochreiter and Schmidhuber 1997): `step` for one decision, `unroll` for sequences."""

    def __init__(self, features: int, cells: int) -> None:
        super().__init__()
        self.width = cells
        self.lstm = nn.LSTM(features, cells, batch_first=True)
        for name, weight in self.lstm.named_parameters():
            nn.init.orthogonal_(weight) if name.startswith("weight") else nn.init.zeros_(weight)

    def step(self, features: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """(B, features), (B, cells), (B, cells) to the next h, which is also the output, and c."""
        lstm: Any = self.lstm  # torch does not declare the types of its tensors
        gates = nn.functional.linear(features, lstm.weight_ih_l0, lstm.bias_ih_l0)
        gates = gates + nn.functional.linear(h, lstm.weight_hh_l0, lstm.bias_hh_l0)
        let_in, keep, new, let_out = gates.chunk(4, dim=1)
        c = torch.sigmoid(keep) * c + torch.sigmoid(let_in) * torch.tanh(new)
        return torch.sigmoid(let_out) * torch.tanh(c), c

    def unroll(self, features: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(S, T, features), (S, cells), (S, cells) to the output (S, T, cells), and the last h and c."""
        out, (h, c) = self.lstm(features, (h.unsqueeze(0).contiguous(), c.unsqueeze(0).contiguous()))
        return out, h.squeeze(0), c.squeeze(0)


def initialised(layer: Any, gain: float = GAIN) -> Any:
    """The layer with orthogonal weights and biases of 0."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _sizes(rows: int, columns: int) -> list[tuple[int, int, int]]:
    """(filters, kernel, stride) of each layer."""
    sizes = [(16, 8, 4) if min(rows, columns) >= 64 else (16, 4, 2)]
    least = (min(rows, columns) - sizes[0][1]) // sizes[0][2] + 1
    while least >= 10:
        sizes.append((32, 4, 2))
        least = (least - 4) // 2 + 1
    return [*sizes, (32, 3, 1)] if least >= 5 else sizes


class FeatureExtractor(nn.Module):
    """Preprocessing, the newest `stack` observations side by side, convolutions for pictures and boards.

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
        self.tower: ResidualTower | None = None
        if run.network.residual_blocks:
            rows, columns, planes = self._board = board_shape(space)
            size = (self._stack * planes, rows, columns)
            self.tower = ResidualTower(size, run.network.residual_blocks, run.network.filters)
            self.width = self.tower.width
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
        """The frame to stack: pictures as bytes, vectors before they are normalised by what is known by then."""
        return seen if self.preprocess.picture else self.preprocess.flat(seen)

    def _features(self, frames: Tensor) -> Tensor:
        """From (B, *shape) or (B, stack, *shape)."""
        frames = self.preprocess.flat(frames) if self.preprocess.picture else self.preprocess.normalised(frames)
        if self.tower is not None:
            boards = frames.reshape(-1, self._stack, *self._board).permute(0, 1, 4, 2, 3)
            features: Tensor = self.tower(boards.flatten(1, 2))
        elif self.convolutions is None:
            features = frames.flatten(1)
        else:
            features = self.convolutions(frames.flatten(1, 2) if self.memory else frames)
        return features if self.first is None else self.first(features)
