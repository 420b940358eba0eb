"""SeatNetwork: what every policy of ours is, whoever trains it: raw observations in, what actions come from out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

from torch import Tensor, nn

from trainer.networks.distributions import Draws
from trainer.networks.spaces import SpaceError, check_spaces

__all__ = ["ILLEGAL", "Heads", "Memory", "SeatNetwork", "SpaceError", "check_spaces"]

ILLEGAL = -1e9
"""Logit of an illegal action: its probability is exactly 0 in float32, and entropy stays finite."""

Memory = Mapping[str, Tensor]
"""Name to (B, *shape): what a policy keeps of its episode from one decision to the next."""


class Heads(NamedTuple):
    """What a network puts out, a row a decision."""

    inputs: Tensor  # (B, k): what `SeatNetwork.draws` draws actions from
    value: Tensor | None  # (B,); None for a policy that has no estimate of its return
    memory: dict[str, Tensor]  # for the seat's next decision; {} where there is none


class SeatNetwork(nn.Module, ABC):
    """Subclasses set `draws`, and `memory` and `recurrent` where they remember.

    The env's raw observation first passes `shrink`, which is all that need be stored of it to learn from; `decide`
    takes what `shrink` gave.  Calling the network does both, and is what a snapshot's graph does.
    """

    draws: Draws
    memory: Mapping[str, Tensor] = {}  # name to what one row of it is at an episode's start: zeros
    recipe: Mapping[str, Any] = {}  # the settings that it was built by, for a snapshot to tell
    recurrent = False  # learns through sequences (`unroll`); else each decision is learnt with its memory as stored

    def shrink(self, observation: Tensor) -> Tensor:
        """(B, *shape) as the env gives it to what is kept of it: pictures become small, others stay as they are."""
        return observation

    @abstractmethod
    def decide(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        """One decision a row, from what `shrink` gave; `action_mask` is int8 (B, n), 1 where legal."""

    def unroll(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        """Sequences (S, T, …) of one episode each, from the memory (S, …) before their first decisions; inputs are
        (S, T, k), value (S, T)."""
        raise TypeError(f"expected a recurrent network to unroll, got: {type(self).__name__}")

    def forward(
        self, observation: Tensor, action_mask: Tensor | None = None, memory: Memory | None = None
    ) -> Heads:  # fmt: skip
        """(B, *shape) as the env gives it."""
        return self.decide(
            self.shrink(observation), action_mask, self.begin(len(observation)) if memory is None else memory
        )

    def begin(self, rows: int) -> dict[str, Tensor]:
        """The memory at the start of so many episodes."""
        return {name: part.expand(rows, *part.shape) for name, part in self.memory.items()}

    def observe_rows(self, seen: Tensor) -> None:
        """The learner is about to learn from these rows of what `shrink` gave: running statistics take them in."""

    def whole(self) -> SeatNetwork:
        """The network with everything that it uses registered in it, so that each weight has its name."""
        return self
