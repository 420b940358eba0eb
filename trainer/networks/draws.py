"""Drawing actions from a SeatNetwork in numpy: what a runner needs of every decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray

from trainer.networks.seat import SeatNetwork


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """One row a decision."""

    actions: NDArray[Any]  # Discrete: int64 (B,), counted from 0; Box: float32 (B, entries), not yet clipped
    logp: NDArray[np.float32]  # (B,)
    inputs: NDArray[np.float32]  # (B, k): logits, or mean and log standard deviation
    values: NDArray[np.float32]  # (B,)

    def env_actions(self, space: Any) -> NDArray[Any]:
        """The actions as the env takes them: counted from the space's start, or within its bounds."""
        if isinstance(space, spaces.Discrete):
            return self.actions + int(space.start)
        return np.clip(self.actions.reshape(-1, *space.shape), space.low, space.high)


def act(
    network: SeatNetwork, observations: NDArray[Any], masks: NDArray[np.int8] | None, rng: np.random.Generator
) -> Chosen:
    """Draw an action for each of the raw observations (B, *shape)."""
    with torch.inference_mode():
        features = network.preprocess(torch.as_tensor(observations))
        mask = None if masks is None else torch.as_tensor(masks)
        inputs = network.policy_of(features, mask).numpy()
        values = network.value_of(features).numpy()
    draw = _draw_discrete if network.box_shape is None else _draw_box
    actions, logp = draw(inputs, rng)
    return Chosen(actions, logp.astype(np.float32), inputs, values)


def _draw_discrete(logits: NDArray[np.float32], rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    shifted = logits - logits.max(axis=1, keepdims=True)
    exponentials = np.exp(shifted)
    cumulative = exponentials.cumsum(axis=1, dtype=np.float64)
    totals = cumulative[:, -1:]
    # Strictly below the total, so that an entry of probability 0 is never picked.
    actions = np.count_nonzero(cumulative <= rng.random(totals.shape) * totals, axis=1)
    logp = shifted[np.arange(len(actions)), actions] - np.log(totals[:, 0])
    return actions.astype(np.int64), logp


def _draw_box(inputs: NDArray[np.float32], rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    mean, log_std = np.split(inputs, 2, axis=1)
    noise = rng.standard_normal(mean.shape, dtype=np.float32)
    logp = (-0.5 * noise**2 - log_std - 0.5 * np.log(2 * np.pi)).sum(axis=1)
    return mean + np.exp(log_std) * noise, logp
