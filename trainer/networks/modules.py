"""The RLModule that RLlib trains: a SeatNetwork under RLlib's names."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchMultiCategorical
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from trainer.config import RunConfig
from trainer.networks.feature_extractor import Eyes
from trainer.networks.make import make_network
from trainer.networks.seat import Heads

ACTION_MASK = "action_mask"
MEMORY = "memory_"
STATE = "state"


class SeatModule(TorchRLModule, ValueFunctionAPI):
    """Batches hold what `SeatNetwork.shrink` gave as obs, and memory_NAME for each part of the memory.

    A recurrent network's batches are sequences: (S, T, …), memory_NAME (S, …) from before the first decision.
    No InferenceOnlyAPI on purpose: runners need the critic for their advantages.
    """

    def setup(self) -> None:
        super().setup()
        run = run_of(self)
        self.network = make_network(run, self.observation_space, self.action_space)
        self._critic: tuple[nn.Module, ...] = ()  # a tuple: torch registers no module in it
        self.action_dist_cls = _distribution(self.action_space) or self.action_dist_cls

    def share(self, *, eyes: Eyes | None, critic: nn.Module | None) -> None:
        """Use the first layers, or the critic, of another module from now on, which owns and trains them."""
        if eyes is None and critic is None:
            return
        run = run_of(self)
        self.network = make_network(run, self.observation_space, self.action_space, eyes=eyes, critic=critic is None)
        self._critic = () if critic is None else (critic,)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        heads = self._heads(batch)
        out = {Columns.ACTION_DIST_INPUTS: heads.inputs}
        return out if heads.value is None else out | {Columns.EMBEDDINGS: heads.value}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """`embeddings` are the values themselves: actor and critic share their first layers' work.

        A critic that sees all agents reads the column ``state``.
        """
        if self._critic:
            central: Tensor = self._critic[0](batch[STATE])
            return central
        value = self._heads(batch).value if embeddings is None else embeddings
        assert isinstance(value, Tensor)
        return value

    def _heads(self, batch: dict[str, Any]) -> Heads:
        memory = {name: batch[MEMORY + name] for name in self.network.memory}
        forward = self.network.unroll if self.network.recurrent else self.network.decide
        return forward(batch[Columns.OBS], batch.get(ACTION_MASK), memory)


def run_of(module: TorchRLModule) -> RunConfig:
    """The settings that the module was made with."""
    assert isinstance(module.model_config, dict)
    return RunConfig.model_validate(module.model_config["run"])


def _distribution(space: Any) -> Any:
    """RLlib's, where it has no choice of its own for the space."""
    match space:
        case spaces.MultiDiscrete():
            parts = [int(n) for n in space.nvec.reshape(-1)]
        case spaces.MultiBinary():
            parts = [2] * int(np.prod(space.shape))
        case _:
            return None
    kind: Any = TorchMultiCategorical  # RLlib annotates its class method as if it were one of instances
    return kind.get_partial_dist_cls(space=space, input_lens=parts)
