"""The RLModule of APPO: a policy and its target network, to which the loss clips."""

from __future__ import annotations

from typing import Any

from ray.rllib.core.rl_module.apis import TARGET_NETWORK_ACTION_DIST_INPUTS, InferenceOnlyAPI, TargetNetworkAPI
from torch import Tensor, nn

from trainer.networks.feature_extractor import FeatureExtractor
from trainer.networks.modules import SeatModule, copy_of, heads_of


class APPOModule(SeatModule, TargetNetworkAPI, InferenceOnlyAPI):
    """Runners have no target network; weights without one set both networks."""

    def setup(self) -> None:
        super().setup()
        self.make_target_networks()

    def share(self, *, eyes: FeatureExtractor | None, critic: nn.Module | None) -> None:
        super().share(eyes=eyes, critic=critic)
        if not self.inference_only:
            self.make_target_networks()

    def make_target_networks(self) -> None:
        self._target = copy_of(self.network.whole())

    def get_target_network_pairs(self) -> list[tuple[Any, Any]]:
        return [(self.network.whole(), self._target)]

    def forward_target(self, batch: dict[str, Any]) -> dict[str, Tensor]:
        return {TARGET_NETWORK_ACTION_DIST_INPUTS: heads_of(self._target, batch).inputs}

    def get_non_inference_attributes(self) -> list[str]:
        return ["_target"]

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        if not self.inference_only and not any(name.startswith("_target.") for name in state):
            self._target.load_state_dict(self.network.whole().state_dict())
