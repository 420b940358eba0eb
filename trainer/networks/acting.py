"""Deciding with a SeatNetwork in numpy: what a runner needs of every decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from agents.policies.draws import RandomNumbers
from trainer.networks.seat import Heads, SeatNetwork

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """One row a decision."""

    seen: Array  # (B, …): what is to be stored of the observation; the raw one unless it is a picture
    actions: Array  # (B, …): as the learner wants them; `SeatNetwork.draws.to_env` gives the env's
    logp: NDArray[np.float32]  # (B,)
    inputs: NDArray[np.float32]  # (B, k): what the actions were drawn from
    values: NDArray[np.float32]  # (B,); zeros where the network has no estimate
    memory: dict[str, Array]  # for the seats' next decisions


def act(
    network: SeatNetwork,
    observations: Array,
    masks: NDArray[np.int8] | None,
    memory: Mapping[str, Array],
    rng: np.random.Generator,
) -> Chosen:
    """Draw an action for each of the raw observations (B, *shape), `memory` as the rows' last decisions left it."""
    with torch.inference_mode():
        seen, heads = _forward(network, observations, masks, memory)
    inputs = heads.inputs.numpy()
    actions, logp = network.draws.draw(inputs, rng)
    values = np.zeros(len(inputs), np.float32) if heads.value is None else heads.value.numpy()
    after = {name: array.numpy() for name, array in heads.memory.items()}
    return Chosen(seen.numpy(), actions, logp, inputs, values, after)


def play(
    network: SeatNetwork,
    observations: Array,
    masks: NDArray[np.int8] | None,
    memory: Mapping[str, Array],
    rng: RandomNumbers,
) -> tuple[Array, dict[str, Array]]:
    """The env's actions (B, *action shape) for raw observations, as a snapshot of the network would draw them, and the
    memory for the rows' next decisions."""
    with torch.inference_mode():
        heads = _forward(network, observations, masks, memory)[1]
    actions = network.draws.to_env(network.draws.play(heads.inputs.numpy(), rng))
    return actions, {name: array.numpy() for name, array in heads.memory.items()}


def evaluate(
    network: SeatNetwork, observations: Array, masks: NDArray[np.int8] | None, memory: Mapping[str, Array]
) -> tuple[NDArray[np.float32], dict[str, Array]]:
    """What actions for raw observations would be drawn from, float32 (B, k), and the memory for the rows' next
    decisions."""
    with torch.inference_mode():
        heads = _forward(network, observations, masks, memory)[1]
    return heads.inputs.numpy(), {name: array.numpy() for name, array in heads.memory.items()}


def value_of(
    network: SeatNetwork, observations: Array, memory: Mapping[str, Array]
) -> NDArray[np.float32]:  # fmt: skip
    """What each raw observation (B, *shape) is worth, (B,); zeros where the network has no estimate."""
    with torch.inference_mode():
        value = _forward(network, observations, None, memory)[1].value
    return np.zeros(len(observations), np.float32) if value is None else value.numpy()


def shrink(network: SeatNetwork, observations: Array) -> Array:
    """What is to be stored of raw observations (B, *shape)."""
    with torch.inference_mode():
        return network.shrink(torch.as_tensor(observations)).numpy()


def begin(network: SeatNetwork, rows: int) -> dict[str, Array]:
    """The memory at the start of so many episodes; the caller may write into it."""
    return {name: part.numpy().copy() for name, part in network.begin(rows).items()}


def _forward(
    network: SeatNetwork, observations: Array, masks: NDArray[np.int8] | None, memory: Mapping[str, Array]
) -> tuple[Tensor, Heads]:
    seen = network.shrink(torch.as_tensor(observations))
    mask = None if masks is None else torch.as_tensor(masks)
    return seen, network.decide(seen, mask, {name: torch.as_tensor(array) for name, array in memory.items()})
