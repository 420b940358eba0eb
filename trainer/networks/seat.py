"""SeatNetwork: the policy network of all algorithms, from raw observations to inputs of an action distribution.

Also its decisions in numpy, and the BatchPolicy of a network that still learns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.policies.batch import BatchPolicy, Masks, SeatGenerators, SeatMemory, Seats, Seeds, stacked
from trainer.networks.distributions import ActionDistribution, Array
from trainer.networks.encoders import FeatureExtractor, Memory

ILLEGAL = -1e9
"""Logit of an illegal action: its probability is exactly 0 in float32, and entropy stays finite."""


class Heads(NamedTuple):
    """The outputs of a network, a row for each decision."""

    inputs: Tensor  # (B, k), of `SeatNetwork.distribution`
    value: Tensor | None  # (B,); None for a network without a value
    memory: dict[str, Tensor]  # for the seat's next decision; {} where there is none


class SeatNetwork(nn.Module, ABC):
    """Subclasses set `eyes`, `distribution`, and if they remember `memory` and `recurrent`.

    `shrink` reduces a raw observation to the part that is stored and learnt from, and `decide` takes its result.
    Calling the network does both, as a snapshot's graph does.
    """

    eyes: FeatureExtractor  # by this name in checkpoints and graphs
    distribution: ActionDistribution
    memory: Mapping[str, Tensor] = {}  # one row of it at an episode's start: zeros
    recipe: Mapping[str, Any] = {}  # the settings it was built by, for the card of a snapshot
    recurrent = False  # learns from sequences (`unroll`); otherwise from decisions, each with its stored memory

    def shrink(self, observation: Tensor) -> Tensor:
        """Raw observations (B, *shape) as they are stored: pictures smaller, others unchanged."""
        return self.eyes.preprocess.shrink(observation)

    @abstractmethod
    def decide(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        """One decision for each row of what `shrink` returned; `action_mask` is int8 (B, n), 1 where legal."""

    def unroll(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        """Sequences (S, T, …) of one episode each, from the memory (S, …) before their first decisions; inputs are
        (S, T, k), value (S, T)."""
        raise TypeError(f"expected a recurrent network to unroll, got: {type(self).__name__}")

    def forward(
        self, observation: Tensor, action_mask: Tensor | None = None, memory: Memory | None = None
    ) -> Heads:  # fmt: skip
        """One decision for each raw observation (B, *shape)."""
        memory = self.begin(len(observation)) if memory is None else memory
        return self.decide(self.shrink(observation), action_mask, memory)

    def begin(self, rows: int) -> dict[str, Tensor]:
        """The memory at the start of `rows` episodes."""
        return {name: part.expand(rows, *part.shape) for name, part in self.memory.items()}

    def observe_rows(self, seen: Tensor) -> None:
        """Update running statistics by the rows, as `shrink` returned them, of a batch that was learnt from."""
        self.eyes.preprocess.observe_rows(seen)

    def whole(self) -> SeatNetwork:
        """The network with all parts registered, so that each weight has its name."""
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """One row for each decision."""

    seen: Array  # (B, …): the observation to store; the raw one unless it is a picture
    inputs: NDArray[np.float32]  # (B, k): of the network's distribution, which samples the actions
    values: NDArray[np.float32]  # (B,); zeros for a network without a value
    memory: dict[str, Array]  # for the seats' next decisions


def decide(network: SeatNetwork, observations: Array, masks: Masks, memory: Mapping[str, Array]) -> Decision:
    """The decisions on raw observations (B, *shape), with the `memory` of the rows' last decisions."""
    with torch.inference_mode():
        seen = network.shrink(torch.as_tensor(observations))
        mask = None if masks is None else torch.as_tensor(masks)
        heads = network.decide(seen, mask, {name: torch.as_tensor(array) for name, array in memory.items()})
    values = np.zeros(len(observations), np.float32) if heads.value is None else heads.value.numpy()
    after = {name: array.numpy() for name, array in heads.memory.items()}
    return Decision(seen.numpy(), heads.inputs.numpy(), values, after)


def shrink(network: SeatNetwork, observations: Array) -> Array:
    """The part of raw observations (B, *shape) to store."""
    with torch.inference_mode():
        return network.shrink(torch.as_tensor(observations)).numpy()


def begin(network: SeatNetwork, rows: int) -> dict[str, Array]:
    """The memory at the start of `rows` episodes; the caller may write into it."""
    return {name: part.numpy().copy() for name, part in network.begin(rows).items()}


class NetworkBatch(BatchPolicy):
    """Plays as a snapshot of the network at this moment would."""

    def __init__(self, network: SeatNetwork, *, obs_type: str = "") -> None:
        self._network, self.obs_type = network, obs_type
        self._draws = SeatGenerators()
        self._memory = SeatMemory(begin(network, 1))

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        self._draws.begin(seats, seeds)
        self._memory.forget(seats)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        decision = decide(self._network, stacked(observations), masks, self._memory.recall(seats))
        self._memory.keep(seats, decision.memory)
        distribution = self._network.distribution
        return distribution.to_env(distribution.play(decision.inputs, self._draws.of(seats)))
