"""SeatNetwork: the policy network of all algorithms, from raw observations to inputs of an action distribution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

from torch import Tensor, nn

from trainer.networks.distributions import ActionDistribution
from trainer.networks.feature_extractor import FeatureExtractor, Memory

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
        """Update running statistics by the rows, as `shrink` returned them, of the batch to learn from."""
        self.eyes.preprocess.observe_rows(seen)

    def whole(self) -> SeatNetwork:
        """The network with all parts registered, so that each weight has its name."""
        return self
