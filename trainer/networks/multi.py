"""The MultiRLModule of a run: its policies, and the parts that they share as modules of their own.

A shared part is trained by its own optimizer, once, with the gradients of all policies' losses.
"""

from __future__ import annotations

from typing import Any

from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
from ray.rllib.core.rl_module.torch import TorchRLModule

from trainer.networks.critic import CriticModule
from trainer.networks.feature_extractor import Eyes
from trainer.networks.modules import SeatModule, run_of

CRITIC = "critic"
"""Module id of the one critic of policies.kind shared_value_function."""

EYES = "encoder"
"""Module ids of shared encoders begin so."""


class EyesModule(TorchRLModule):
    """First layers that several policies use; never forwarded by RLlib."""

    def setup(self) -> None:
        super().setup()
        run = run_of(self)
        self.network = Eyes(run, self.observation_space, shared=True)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        raise NotImplementedError("expected a shared encoder to be used inside the policies alone")


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
                    eyes=encoder.network if isinstance(encoder, EyesModule) else None,
                    critic=critic.network if isinstance(critic, CriticModule) else None,
                )
