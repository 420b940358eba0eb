"""ActorCritic: the network of the algorithms that learn a policy and its value together."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor, nn

from trainer.config import RunConfig
from trainer.networks.distributions import Gaussian, make_draws
from trainer.networks.encoders import Recurrence, Trunk
from trainer.networks.feature_extractor import Eyes
from trainer.networks.seat import ILLEGAL, Heads, Memory, SeatNetwork


class ActorCritic(SeatNetwork):
    """Policy and critic, each with a trunk of its own over the same eyes; with a recurrent layer, heads over that.

    `eyes` may be those of another network: they are used then and belong to that one.
    """

    def __init__(
        self, run: RunConfig, observation_space: Any, action_space: Any, *,
        eyes: Eyes | None = None, critic: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self._borrowed = (eyes,) if eyes is not None else ()  # a tuple: torch registers no module in it
        if eyes is None:
            self.eyes = Eyes(run, observation_space)
        self.draws = make_draws(action_space)
        features, hidden, activation = self._eyes.width, self._eyes.left, run.network.activation
        self.memory = dict(self._eyes.memory)
        self.cell: Recurrence | None = None
        if run.network.lstm:
            self.body = Trunk(features, hidden, activation=activation)
            self.cell = Recurrence(self.body.width, run.network.lstm)
            self.memory |= {"h": torch.zeros(run.network.lstm), "c": torch.zeros(run.network.lstm)}
            self.recurrent, features, hidden = True, run.network.lstm, ()
        is_box = isinstance(self.draws, Gaussian)
        outputs = self.draws.width // 2 if is_box else self.draws.width
        self.pi = Trunk(features, hidden, outputs, last_gain=0.01, activation=activation)
        self.vf = Trunk(features, hidden, 1, last_gain=1.0, activation=activation) if critic else None
        self.log_std = nn.Parameter(torch.full((outputs,), -0.5)) if is_box else None

    @property
    def _eyes(self) -> Eyes:
        return self._borrowed[0] if self._borrowed else self.eyes

    def shrink(self, observation: Tensor) -> Tensor:
        return self._eyes.shrink(observation)

    def decide(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        features, after = self._eyes(seen, memory)
        if self.cell is not None:
            features, after["c"] = self.cell.step(self.body(features), memory["h"], memory["c"])
            after["h"] = features
        return Heads(self._inputs(features, action_mask), self._value(features), after)

    def unroll(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        if self.cell is None:
            return super().unroll(seen, action_mask, memory)
        features, after = self._eyes.unroll(seen, memory)
        features, after["h"], after["c"] = self.cell.unroll(self.body(features), memory["h"], memory["c"])
        return Heads(self._inputs(features, action_mask), self._value(features), after)

    def observe_rows(self, seen: Tensor) -> None:
        self._eyes.observe_rows(seen)

    def whole(self) -> SeatNetwork:
        if not self._borrowed:
            return self
        whole = copy.copy(self)
        whole._borrowed = ()
        whole._modules = self._modules | {"eyes": self._eyes}
        return whole

    def _inputs(self, features: Tensor, action_mask: Tensor | None) -> Tensor:
        out = self.pi(features)
        if self.log_std is not None:
            return torch.cat([out, self.log_std.expand_as(out)], dim=-1)
        return out if action_mask is None else torch.where(action_mask > 0, out, torch.full_like(out, ILLEGAL))

    def _value(self, features: Tensor) -> Tensor | None:
        return None if self.vf is None else self.vf(features).squeeze(-1)
