"""The MultiRLModule of a run: its policies, and their shared critic and encoders as modules of their own.

A shared part has its own optimizer, which steps once with the gradients of all policies' losses.
"""

from __future__ import annotations

from typing import Any

from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from trainer.networks.encoders import Trunk
from trainer.networks.feature_extractor import FeatureExtractor
from trainer.networks.modules import SeatModule, run_of

CRITIC = "critic"
"""Module id of the one critic of policies.kind shared_value_function."""

ENCODER = "encoder"
"""Module ids of shared encoders begin so."""


class SharedModule(TorchRLModule):
    """A part of the policies' networks, which use it directly: RLlib never calls its forward."""

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        raise NotImplementedError(f"expected {type(self).__name__} to be used inside the policies alone")


class EncoderModule(SharedModule):
    """The first layers of several policies."""

    def setup(self) -> None:
        super().setup()
        self.network = FeatureExtractor(run_of(self), self.observation_space, shared=True)


class CriticModule(SharedModule):
    """A centralised critic."""

    def setup(self) -> None:
        super().setup()
        space: Any = self.observation_space
        self.network = Critic(space.shape[0], run_of(self).network.hidden)


class Critic(nn.Module):
    """float32 (batch, state) to values (batch,)."""

    def __init__(self, size: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        self.vf = Trunk(size, hidden, 1, last_gain=1.0)

    def forward(self, state: Tensor) -> Tensor:
        values: Tensor = self.vf(state).squeeze(-1)
        return values


class SeatMultiModule(MultiRLModule):
    """Policies by their ids; beside them, where the run shares such parts, ``critic`` and ``encoder…``.

    A policy's model_config may name its encoder's module id under ``encoder``.
    """

    def setup(self) -> None:
        super().setup()
        critic = self._rl_modules.get(CRITIC)
        for module in self._rl_modules.values():
            if isinstance(module, SeatModule):
                assert isinstance(module.model_config, dict)
                encoder = self._rl_modules.get(module.model_config.get("encoder", ""))
                module.share(
                    eyes=encoder.network if isinstance(encoder, EncoderModule) else None,
                    critic=critic.network if isinstance(critic, CriticModule) else None,
                )
