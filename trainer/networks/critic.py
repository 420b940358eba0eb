"""The centralised critic: a network of its own that RLlib trains beside the policies."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from trainer.networks.encoders import Trunk
from trainer.networks.modules import run_of


class Critic(nn.Module):
    """float32 (batch, state) to values (batch,)."""

    def __init__(self, size: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        self.vf = Trunk(size, hidden, 1, last_gain=1.0)

    def forward(self, state: Tensor) -> Tensor:
        values: Tensor = self.vf(state).squeeze(-1)
        return values


class CriticModule(TorchRLModule):
    """Never forwarded by RLlib: the policies' `compute_values` ask it, and its optimizer follows their losses."""

    def setup(self) -> None:
        super().setup()
        run = run_of(self)
        assert self.observation_space is not None
        assert self.observation_space.shape is not None
        self.network = Critic(self.observation_space.shape[0], run.network.hidden)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        raise NotImplementedError("expected the critic to be asked by the policies' compute_values alone")


def critic_space(size: int) -> spaces.Box:
    """Rows of the critic."""
    return spaces.Box(-np.inf, np.inf, (size,), np.float32)
