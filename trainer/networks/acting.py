"""Decisions of a SeatNetwork in numpy, and the BatchPolicy of a network that still learns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.policies.batch import BatchPolicy, Masks, SeatGenerators, SeatMemory, Seats, Seeds
from trainer.networks.seat import SeatNetwork

Array = NDArray[Any]


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

    def __init__(self, network: SeatNetwork) -> None:
        self._network = network
        self._draws = SeatGenerators()
        self._memory = SeatMemory(begin(network, 1))

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        self._draws.begin(seats, seeds)
        self._memory.forget(seats)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        decision = decide(self._network, observations, masks, self._memory.recall(seats))
        self._memory.keep(seats, decision.memory)
        distribution = self._network.distribution
        return distribution.to_env(distribution.play(decision.inputs, self._draws.of(seats)))
