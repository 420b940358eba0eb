"""The policy and its critic as torch modules; preprocessing is inside, so they take the env's raw observations."""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from torch import Tensor, nn

from agents.errors import UserError

ILLEGAL = -1e9
"""Logit of an illegal action: its probability is exactly 0 in float32, and entropy stays finite."""


class SpaceError(UserError):
    """A game whose spaces no policy of ours can be made for; the message says which would do."""


def check_spaces(observation_space: Any, action_space: Any) -> None:
    """Raises SpaceError unless a policy can be trained on these spaces and exported."""
    if not isinstance(action_space, (spaces.Discrete, spaces.Box)):
        raise SpaceError(f"expected a Discrete or Box action space to learn with, got: {action_space}")
    array = (spaces.Box, spaces.Discrete, spaces.MultiBinary)
    if not isinstance(observation_space, array):
        raise SpaceError(f"expected a Box, Discrete or MultiBinary observation space, got: {observation_space}")


GRID = 42
"""A picture is averaged down to about so many rows before the first layer sees it."""


class Preprocessor(nn.Module):
    """The env's raw observation (batch, *shape) to float32 (batch, features): cast, scaled by its bounds, flat.

    Numbers become one-hot; pictures (rows, columns, up to 4 channels) become small and grey.
    """

    def __init__(self, space: Any) -> None:
        super().__init__()
        self.one_hot = int(space.n) if isinstance(space, spaces.Discrete) else 0
        self.start = int(getattr(space, "start", 0))
        self.scale = 1.0 / 255.0 if space.dtype == "uint8" and not self.one_hot and _is_wide(space) else 1.0
        self.shrink = space.shape[0] // GRID if _is_picture(space) else 0
        small = (space.shape[0] // self.shrink, space.shape[1] // self.shrink) if self.shrink else space.shape
        self.features = self.one_hot or int(torch.tensor(small).prod())

    def forward(self, observation: Tensor) -> Tensor:
        if self.one_hot:
            return torch.eye(self.one_hot)[observation.long().reshape(-1) - self.start]
        observation = observation.to(torch.float32) * self.scale
        if self.shrink:
            observation = nn.functional.avg_pool2d(observation.mean(dim=3).unsqueeze(1), self.shrink)
        return observation.flatten(1)


class Trunk(nn.Module):
    """A perceptron with tanh between its layers, orthogonal weights (Andrychowicz et al. 2020, arXiv 2006.05990)."""

    def __init__(self, features: int, hidden: tuple[int, ...], outputs: int, *, last_gain: float) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for width in hidden:
            layers += [_linear(features, width, 2.0**0.5), nn.Tanh()]
            features = width
        self.layers = nn.Sequential(*layers, _linear(features, outputs, last_gain))

    def forward(self, features: Tensor) -> Tensor:
        return self.layers(features)


class SeatNetwork(nn.Module):
    """Policy and critic, each with its own trunk.

    `policy` gives logits (batch, n), illegal ones at ILLEGAL, for Discrete; mean and log standard deviation side
    by side (batch, 2 x entries) for Box.  `value` gives float32 (batch,).
    """

    def __init__(self, observation_space: Any, action_space: Any, hidden: tuple[int, ...]) -> None:
        super().__init__()
        check_spaces(observation_space, action_space)
        self.preprocess = Preprocessor(observation_space)
        self.box_shape = tuple(action_space.shape) if isinstance(action_space, spaces.Box) else None
        outputs = int(torch.tensor(action_space.shape).prod()) if self.box_shape is not None else int(action_space.n)
        self.pi = Trunk(self.preprocess.features, hidden, outputs, last_gain=0.01)
        self.vf = Trunk(self.preprocess.features, hidden, 1, last_gain=1.0)
        self.log_std = nn.Parameter(torch.full((outputs,), -0.5)) if self.box_shape is not None else None

    def policy(self, observation: Tensor, action_mask: Tensor | None = None) -> Tensor:
        return self.policy_of(self.preprocess(observation), action_mask)

    def policy_of(self, features: Tensor, action_mask: Tensor | None = None) -> Tensor:
        out = self.pi(features)
        if self.log_std is not None:
            return torch.cat([out, self.log_std.expand_as(out)], dim=1)
        return out if action_mask is None else torch.where(action_mask > 0, out, torch.full_like(out, ILLEGAL))

    def value(self, observation: Tensor) -> Tensor:
        return self.value_of(self.preprocess(observation))

    def value_of(self, features: Tensor) -> Tensor:
        return self.vf(features).squeeze(-1)


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _is_picture(space: Any) -> bool:
    shape = getattr(space, "shape", None) or ()
    return len(shape) == 3 and shape[2] <= 4 and min(shape[:2]) >= GRID and space.dtype == "uint8"


def _is_wide(space: Any) -> bool:
    return isinstance(space, spaces.Box) and float(space.high.max()) > 1.0
