"""Layers between observations and heads: perceptrons, convolutions, a recurrent layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

GAIN = 2.0**0.5
ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}


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
