"""ActorCritic: the network of algorithms that learn a policy and its value together, and those of SAC."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor, nn

from agents.policies.batch import RandomNumbers
from agents.snapshots.snapshot import SQUASHED
from trainer.config import RunConfig
from trainer.networks.distributions import ActionDistribution, Array, BoxDistribution, Gaussian, make_distribution
from trainer.networks.encoders import FeatureExtractor, Memory, Recurrence, Trunk
from trainer.networks.seat import ILLEGAL, Heads, SeatNetwork

LOG_STD = (-10.0, 2.0)
"""Bounds of the log standard deviation before squashing."""


class ActorCritic(SeatNetwork):
    """Policy and critic, each a trunk over the same features; with a recurrent layer, heads over that.

    `eyes` may be the feature extractor of another network, which then owns it.
    """

    def __init__(
        self, run: RunConfig, observation_space: Any, action_space: Any, *,
        eyes: FeatureExtractor | None = None, critic: bool = True, distribution: ActionDistribution | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if eyes is None:
            self.eyes = FeatureExtractor(run, observation_space)
        else:
            self.__dict__["eyes"] = eyes  # unknown to torch, which registers the modules that are set as attributes
        self.distribution = distribution or make_distribution(action_space)
        features, hidden, activation = self.eyes.width, self.eyes.hidden, run.network.activation
        self.memory = dict(self.eyes.memory)
        self.cell: Recurrence | None = None
        if run.network.lstm:
            self.body = Trunk(features, hidden, activation=activation)
            self.cell = Recurrence(self.body.width, run.network.lstm)
            self.memory |= {"h": torch.zeros(run.network.lstm), "c": torch.zeros(run.network.lstm)}
            self.recurrent, features, hidden = True, run.network.lstm, ()
        is_box = isinstance(self.distribution, Gaussian)
        outputs = self.distribution.width // 2 if is_box else self.distribution.width
        self.pi = Trunk(features, hidden, outputs, last_gain=0.01, activation=activation)
        self.vf = Trunk(features, hidden, 1, last_gain=1.0, activation=activation) if critic else None
        self.log_std = nn.Parameter(torch.full((outputs,), -0.5)) if is_box else None

    def decide(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        features, after = self.eyes(seen, memory)
        if self.cell is not None:
            features, after["c"] = self.cell.step(self.body(features), memory["h"], memory["c"])
            after["h"] = features
        return Heads(self._inputs(features, action_mask), self._value(features), after)

    def unroll(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        if self.cell is None:
            return super().unroll(seen, action_mask, memory)
        features, after = self.eyes.unroll(seen, memory)
        features, after["h"], after["c"] = self.cell.unroll(self.body(features), memory["h"], memory["c"])
        return Heads(self._inputs(features, action_mask), self._value(features), after)

    def whole(self) -> SeatNetwork:
        if "eyes" in self._modules:
            return self
        whole = copy.copy(self)
        whole._modules = self._modules | {"eyes": self.eyes}
        return whole

    def _inputs(self, features: Tensor, action_mask: Tensor | None) -> Tensor:
        out = self.pi(features)
        if self.log_std is not None:
            return torch.cat([out, self.log_std.expand_as(out)], dim=-1)
        return out if action_mask is None else torch.where(action_mask > 0, out, torch.full_like(out, ILLEGAL))

    def _value(self, features: Tensor) -> Tensor | None:
        return None if self.vf is None else self.vf(features).squeeze(-1)


class SquashedGaussian(BoxDistribution):
    """A normal variable through tanh, for each entry of a box with bounds (Haarnoja et al. 2018, appendix C).

    Inputs are means and log standard deviations before tanh; actions, float32 (B, entries), lie in [-1, 1].
    """

    def sample(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        mean, log_std = np.split(inputs, 2, axis=1)
        noise = rng.standard_normal(mean.shape, dtype=np.float32)
        raw = mean + np.exp(log_std) * noise
        slope = 2 * (np.log(2) - raw - np.logaddexp(0, -2 * raw))  # log of the derivative of tanh, 1 - tanh^2
        logp = -0.5 * noise**2 - log_std - 0.5 * np.log(2 * np.pi) - slope
        return np.tanh(raw), logp.sum(axis=1).astype(np.float32)

    def rsample(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Sample in torch, with gradients to `inputs`."""
        mean, log_std = inputs.chunk(2, dim=1)
        noise = torch.randn_like(mean)
        raw = mean + log_std.exp() * noise
        logp = -0.5 * noise**2 - log_std - 0.5 * math.log(2 * math.pi) - _log_slope(raw)
        return torch.tanh(raw), logp.sum(dim=1)

    def graph_outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        """The normal variable before tanh; a snapshot squashes what it draws, as `sample` does."""
        outputs = zip(SQUASHED, inputs.chunk(2, dim=1), strict=True)
        return {name: output.reshape(-1, *self._space.shape) for name, output in outputs}


class SoftPolicy(ActorCritic):
    """Inputs are logits, illegal ones at ILLEGAL, or mean and log standard deviation before squashing.

    It has no value: the critics, which snapshots and runners do not need, stay with the learner.
    """

    def __init__(self, run: RunConfig, observation_space: Any, action_space: Any) -> None:
        squashed = SquashedGaussian(action_space) if isinstance(action_space, spaces.Box) else None
        super().__init__(run, observation_space, action_space, critic=False, distribution=squashed)

    def _inputs(self, features: Tensor, action_mask: Tensor | None) -> Tensor:
        inputs = super()._inputs(features, action_mask)
        if not isinstance(self.distribution, SquashedGaussian):
            return inputs
        mean, log_std = inputs.chunk(2, dim=1)
        return torch.cat([mean, log_std.clamp(*LOG_STD)], dim=1)


class SoftCritic(nn.Module):
    """The Q value of every action, (B, n), or of the given action of a box, (B,), with features of its own."""

    def __init__(self, run: RunConfig, observation_space: Any, action_space: Any) -> None:
        super().__init__()
        self.eyes = FeatureExtractor(run, observation_space)
        is_box = isinstance(action_space, spaces.Box)
        inputs = self.eyes.width + (int(np.prod(action_space.shape)) if is_box else 0)
        outputs = 1 if is_box else int(action_space.n)
        self.head = Trunk(inputs, self.eyes.hidden, outputs, last_gain=0.1, activation=run.network.activation)

    def forward(self, seen: Tensor, memory: Memory, actions: Tensor | None = None) -> Tensor:
        features, _ = self.eyes(seen, memory)
        values: Tensor = self.head(features if actions is None else torch.cat([features, actions], dim=1))
        return values if actions is None else values.squeeze(1)


def _log_slope(raw: Tensor) -> Tensor:
    """log(1 - tanh(raw)^2), numerically stable."""
    return 2 * (math.log(2) - raw - nn.functional.softplus(-2 * raw))
