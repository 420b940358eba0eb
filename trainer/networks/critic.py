"""The centralised critic: a network of its own that RLlib trains beside the policies."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from trainer.config import RunConfig
from trainer.networks.encoders import Trunk


class Critic(nn.Module):
    """float32 (batch, state) to values (batch,)."""

    def __init__(self, size: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        self.vf = Trunk(size, hidden, 1, last_gain=1.0)

    def forward(self, state: Tensor) -> Tensor:
        return self.vf(state).squeeze(-1)


class CriticModule(TorchRLModule):
    """Never forwarded by RLlib: the policies' `compute_values` ask it, and its optimizer follows their losses."""

    def setup(self) -> None:
        super().setup()
        run = RunConfig.model_validate(self.model_config["run"])
        self.network = Critic(self.observation_space.shape[0], run.network.hidden)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        raise NotImplementedError("expected the critic to be asked by the policies' compute_values alone")


def critic_space(size: int) -> spaces.Box:
    """Rows of the critic."""
    return spaces.Box(-np.inf, np.inf, (size,), np.float32)
