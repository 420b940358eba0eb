"""The RLModule of APPO: a policy with the target network that its loss is clipped around."""

from __future__ import annotations

from typing import Any

from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.apis import TARGET_NETWORK_ACTION_DIST_INPUTS, InferenceOnlyAPI, TargetNetworkAPI
from torch import Tensor, nn

from trainer.networks.feature_extractor import Eyes
from trainer.networks.modules import ACTION_MASK, MEMORY, SeatModule
from trainer.networks.seat import SeatNetwork


class APPOModule(SeatModule, TargetNetworkAPI, InferenceOnlyAPI):
    """Runners have no target network; whoever sets weights without one sets it too."""

    def setup(self) -> None:
        super().setup()
        self.make_target_networks()

    def share(self, *, eyes: Eyes | None, critic: nn.Module | None) -> None:
        super().share(eyes=eyes, critic=critic)
        if not self.inference_only:
            self.make_target_networks()

    def make_target_networks(self) -> None:
        copy: Any = make_target_network(self.network.whole())
        self._target: SeatNetwork = copy

    def get_target_network_pairs(self) -> list[tuple[Any, Any]]:
        return [(self.network.whole(), self._target)]

    def forward_target(self, batch: dict[str, Any]) -> dict[str, Tensor]:
        memory = {name: batch[MEMORY + name] for name in self._target.memory}
        heads = self._target.decide(batch[Columns.OBS], batch.get(ACTION_MASK), memory)
        return {TARGET_NETWORK_ACTION_DIST_INPUTS: heads.inputs}

    def get_non_inference_attributes(self) -> list[str]:
        return ["_target"]

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        if not self.inference_only and not any(name.startswith("_target.") for name in state):
            self._target.load_state_dict(self.network.whole().state_dict())
