"""The RLModule that RLlib trains: a SeatNetwork under RLlib's names."""

from __future__ import annotations

from typing import Any

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from trainer.networks.seat import SeatNetwork

ACTION_MASK = "action_mask"


class SeatModule(TorchRLModule, ValueFunctionAPI):
    """No InferenceOnlyAPI on purpose: runners need the critic for their advantages."""

    def setup(self) -> None:
        super().setup()
        hidden = tuple(self.model_config["hidden"])
        self.network = SeatNetwork(self.observation_space, self.action_space, hidden)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        features = self.network.preprocess(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.network.policy_of(features, batch.get(ACTION_MASK))}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        return self.network.value(batch[Columns.OBS])
