"""ActorCritic: the network of algorithms that learn a policy and its value together."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor, nn

from trainer.config import RunConfig
from trainer.networks.distributions import ActionDistribution, Gaussian, make_distribution
from trainer.networks.encoders import Recurrence, Trunk
from trainer.networks.feature_extractor import FeatureExtractor, Memory
from trainer.networks.seat import ILLEGAL, Heads, SeatNetwork


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
