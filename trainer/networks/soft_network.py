"""The networks of soft actor-critic: a policy alone, and critics that know the action."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor, nn

from agents.policies.draws import RandomNumbers
from trainer.config import RunConfig
from trainer.networks.distributions import Array, Categorical, Draws
from trainer.networks.encoders import Trunk
from trainer.networks.feature_extractor import Eyes
from trainer.networks.seat import ILLEGAL, Heads, Memory, SeatNetwork

LOG_STD = (-10.0, 2.0)
"""Bounds of the log standard deviation before squashing."""


class SquashedGaussian(Draws):
    """A normal variable through tanh, for each entry of a box with bounds (Haarnoja et al. 2018, appendix C).

    Inputs are means and log standard deviations, side by side, before tanh; actions, float32 (B, entries), lie in
    [-1, 1] and are stretched to the box on the way to the env.
    """

    def __init__(self, space: spaces.Box) -> None:
        low, high = space.low.reshape(-1).astype(np.float32), space.high.reshape(-1).astype(np.float32)
        self._middle, self._half = low / 2 + high / 2, high / 2 - low / 2
        self.entries, self._space = len(low), space
        self.width = 2 * self.entries

    def draw(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        mean, log_std = np.split(inputs, 2, axis=1)
        noise = rng.standard_normal(mean.shape, dtype=np.float32)
        raw = mean + np.exp(log_std) * noise
        slope = 2 * (np.log(2) - raw - np.logaddexp(0, -2 * raw))  # log of the derivative of tanh, 1 - tanh^2
        logp = -0.5 * noise**2 - log_std - 0.5 * np.log(2 * np.pi) - slope
        return np.tanh(raw), logp.sum(axis=1).astype(np.float32)

    def rsample(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """The same in torch, with gradients to `inputs`."""
        mean, log_std = inputs.chunk(2, dim=1)
        noise = torch.randn_like(mean)
        raw = mean + log_std.exp() * noise
        logp = -0.5 * noise**2 - log_std - 0.5 * math.log(2 * math.pi) - _log_slope(raw)
        return torch.tanh(raw), logp.sum(dim=1)

    def to_env(self, actions: Array) -> Array:
        shaped = (self._middle + self._half * actions).reshape(-1, *self._space.shape)
        clipped = np.clip(shaped, self._space.low, self._space.high)  # float32 may round past a bound
        return (np.rint(clipped) if np.issubdtype(self._space.dtype, np.integer) else clipped).astype(self._space.dtype)

    def outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        """A snapshot's box is a normal variable in the env's units.  Its mean is that of the squashed middle,
        m + h tanh(mu); its deviation is by the delta method, sd(f(x)) ~ |f'(mu)| sd(x), here
        log sd = log h + log(1 - tanh(mu)^2) + log sigma: good where sigma is small, too wide near the bounds of a
        policy that still explores (the player cuts it off there)."""
        mean, log_std = inputs.chunk(2, dim=1)
        half = torch.as_tensor(np.maximum(self._half, 1e-12), device=inputs.device)
        stretched = torch.as_tensor(self._middle, device=inputs.device) + half * torch.tanh(mean)
        deviation = log_std + _log_slope(mean) + torch.log(half)
        shape = (-1, *self._space.shape)
        return {"action_mean": stretched.reshape(shape), "action_log_std": deviation.reshape(shape)}


class SoftPolicy(SeatNetwork):
    """Inputs are logits, illegal ones at ILLEGAL, or mean and log standard deviation before squashing.

    It has no value: its critics, which snapshots and runners do not need, stay with the learner.
    """

    def __init__(self, run: RunConfig, observation_space: Any, action_space: Any) -> None:
        super().__init__()
        self.eyes = Eyes(run, observation_space)
        self.memory = self.eyes.memory
        is_box = isinstance(action_space, spaces.Box)
        self.draws = SquashedGaussian(action_space) if is_box else Categorical(action_space)
        self.pi = Trunk(
            self.eyes.width, self.eyes.left, self.draws.width, last_gain=0.01, activation=run.network.activation
        )  # fmt: skip

    def shrink(self, observation: Tensor) -> Tensor:
        return self.eyes.shrink(observation)

    def observe_rows(self, seen: Tensor) -> None:
        self.eyes.observe_rows(seen)

    def decide(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        features, after = self.eyes(seen, memory)
        out = self.pi(features)
        if isinstance(self.draws, SquashedGaussian):
            mean, log_std = out.chunk(2, dim=1)
            inputs = torch.cat([mean, log_std.clamp(*LOG_STD)], dim=1)
        else:
            inputs = out if action_mask is None else torch.where(action_mask > 0, out, torch.full_like(out, ILLEGAL))
        return Heads(inputs, None, after)


class SoftCritic(nn.Module):
    """Eyes of its own, and a head that gives the worth of every action (B, n), or of the given one of a box (B, 1)."""

    def __init__(self, run: RunConfig, observation_space: Any, action_space: Any) -> None:
        super().__init__()
        self.eyes = Eyes(run, observation_space)
        is_box = isinstance(action_space, spaces.Box)
        inputs = self.eyes.width + (int(np.prod(action_space.shape)) if is_box else 0)
        self.head = Trunk(
            inputs, self.eyes.left, 1 if is_box else int(action_space.n),
            last_gain=0.1, activation=run.network.activation,
        )  # fmt: skip

    def forward(self, seen: Tensor, memory: Memory, actions: Tensor | None = None) -> Tensor:
        features, _ = self.eyes(seen, memory)
        worth: Tensor = self.head(features if actions is None else torch.cat([features, actions], dim=1))
        return worth if actions is None else worth.squeeze(1)


def _log_slope(raw: Tensor) -> Tensor:
    """log(1 - tanh(raw)^2) without loss of digits."""
    return 2 * (math.log(2) - raw - nn.functional.softplus(-2 * raw))
