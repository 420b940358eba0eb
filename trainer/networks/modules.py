"""RLModules: SeatNetworks under the names of RLlib, which trains them.

The policies of a run may share a critic and encoders.  Each is a module of its own with its own optimizer, which steps
once with the gradients of all policies' losses.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

import torch
from gymnasium import spaces
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchMultiCategorical
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from trainer.config import RunConfig
from trainer.networks.distributions import MultiCategorical
from trainer.networks.encoders import FeatureExtractor, Trunk
from trainer.networks.make import make_network
from trainer.networks.preprocess import RunningMoments
from trainer.networks.seat import Heads, SeatNetwork

ACTION_MASK = "action_mask"
MEMORY = "memory_"
STATE = "state"

CRITIC = "critic"
"""Module id of the one critic of policies.kind shared_value_function."""

ENCODER = "encoder"
"""Module ids of shared encoders begin so."""

Network = TypeVar("Network", bound=nn.Module)


class PolicyModule(TorchRLModule):
    """A policy's network.  Batches have the result of `SeatNetwork.shrink` as obs, and memory_NAME for its memory."""

    def setup(self) -> None:
        super().setup()
        self.network = make_network(run_of(self), self.observation_space, self.action_space)

    def observe_rows(self, seen: Tensor) -> None:
        """Update running statistics by the obs column of a batch that was learnt from."""
        self.network.observe_rows(seen)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: heads_of(self.network, batch).inputs}


class SeatModule(PolicyModule, ValueFunctionAPI):
    """An ActorCritic; runners have its critic too, for their advantages, so it is no InferenceOnlyAPI.

    A recurrent network's batches are sequences: (S, T, …), memory_NAME (S, …) from before the first decision.
    """

    def setup(self) -> None:
        super().setup()
        self._critic: tuple[Critic, ...] = ()  # a tuple: torch registers no module in it
        if isinstance(self.action_space, (spaces.MultiDiscrete, spaces.MultiBinary)):  # RLlib has no default for them
            distribution, kind = self.network.distribution, cast(Any, TorchMultiCategorical)
            assert isinstance(distribution, MultiCategorical)
            self.action_dist_cls = kind.get_partial_dist_cls(space=self.action_space, input_lens=[*distribution.parts])

    def share(self, *, eyes: FeatureExtractor | None, critic: Critic | None) -> None:
        """Use the first layers, or the critic, of another module, which owns and trains them."""
        if eyes is None and critic is None:
            return
        run = run_of(self)
        self.network = make_network(run, self.observation_space, self.action_space, eyes=eyes, critic=critic is None)
        self._critic = () if critic is None else (critic,)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        heads = heads_of(self.network, batch)
        out = {Columns.ACTION_DIST_INPUTS: heads.inputs}
        return out if heads.value is None else out | {Columns.EMBEDDINGS: heads.value}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """Return `embeddings`, the values of the forward pass, if given; a central critic reads ``state``."""
        if self._critic:
            return self._critic[0].values(batch[STATE])
        value = heads_of(self.network, batch).value if embeddings is None else embeddings
        assert isinstance(value, Tensor)
        return value


class EncoderModule(TorchRLModule):
    """The first layers of several policies, which call them directly."""

    def setup(self) -> None:
        super().setup()
        self.network = FeatureExtractor(run_of(self), self.observation_space, shared=True)


class CriticModule(TorchRLModule):
    """A centralised critic, which the policies call directly."""

    def setup(self) -> None:
        super().setup()
        space: Any = self.observation_space
        assert isinstance(self.model_config, dict)
        run, agents = run_of(self), self.model_config["agents"]
        features = space.shape[0] - agents
        self.network = Critic(features, agents, run.network.hidden, normalised=run.wrappers.normalise)

    def observe_rows(self, places: Tensor) -> None:
        """Update running statistics by the states of a batch that was learnt from, each of them once."""
        self.network.observe_rows(self.network.table[places[:, 0].unique()])


class Critic(nn.Module):
    """States, float32 (…, features + agents), and numbers of agents (…) to the agents' values (…).

    If `normalised`, the features are, as those of the policies are, and the flags are not.  `table` has the states of
    the newest batch, (R, features + agents).
    """

    def __init__(self, features: int, agents: int, hidden: tuple[int, ...], *, normalised: bool = False) -> None:
        super().__init__()
        self.vf = Trunk(features + 2 * agents, hidden, 1, last_gain=1.0)
        self._features, self._agents = features, agents
        self.moments = RunningMoments(features) if normalised else None
        self.table = torch.zeros(0, features + agents)

    def forward(self, states: Tensor, agents: Tensor) -> Tensor:
        features, flags = states[..., : self._features], states[..., self._features :]
        if self.moments is not None:
            features = self.moments(features)
        own = nn.functional.one_hot(agents, self._agents).to(features.dtype)
        values: Tensor = self.vf(torch.cat([features, flags, own], dim=-1)).squeeze(-1)
        return values

    def values(self, places: Tensor) -> Tensor:
        """The values (…) for a column STATE, (…, 2), of the newest batch."""
        values: Tensor = self(self.table[places[..., 0]], places[..., 1])
        return values

    def observe_rows(self, states: Tensor) -> None:
        """Update running statistics by states (M, features + agents)."""
        if self.moments is not None:
            self.moments.observe(states[:, : self._features])


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


def heads_of(network: SeatNetwork, batch: dict[str, Any]) -> Heads:
    """The network's outputs for the rows, or sequences, of a batch."""
    seen, mask, memory = batch[Columns.OBS], batch.get(ACTION_MASK), {n: batch[MEMORY + n] for n in network.memory}
    if network.recurrent:
        return network.unroll(seen, mask, memory)
    if Columns.LOSS_MASK not in batch:
        return network.decide(seen, mask, memory)
    places = batch[Columns.LOSS_MASK].shape  # sequences of decisions, each with its own memory

    def flat(column: Tensor) -> Tensor:
        return column.flatten(0, len(places) - 1)

    rows = {name: flat(column) for name, column in memory.items()}
    heads = network.decide(flat(seen), None if mask is None else flat(mask), rows)
    value = None if heads.value is None else heads.value.unflatten(0, places)
    return Heads(heads.inputs.unflatten(0, places), value, heads.memory)


def copy_of(network: Network) -> Network:
    """A target network: RLlib's function with the type that it returns."""
    copy: Any = make_target_network(network)
    target: Network = copy
    return target


def run_of(module: TorchRLModule) -> RunConfig:
    """The run settings of the module."""
    assert isinstance(module.model_config, dict)
    return RunConfig.model_validate(module.model_config["run"])
