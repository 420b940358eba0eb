"""Agreement of a network with recorded play: accuracy and log-likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from trainer.imitation.network_outputs import NetworkOutputs
from trainer.imitation.trajectories import Array, Trajectory
from trainer.networks.distributions import ActionDistribution, MultiCategorical

CLOSE = 0.1
"""Largest difference of agreeing entries of a box, as a share of half its width."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Over all decisions of some trajectories, each counted once."""

    decisions: int
    accuracy: float  # share of decisions whose recorded action is the likeliest, in all its parts
    log_likelihood: float  # mean log probability of the recorded actions, for boxes log density


def measure(distribution: ActionDistribution, trajectories: Sequence[Trajectory], outputs: NetworkOutputs) -> Figures:
    """Accuracy and log-likelihood, from a network's `outputs` over the trajectories."""
    actions = np.concatenate([trajectory.actions for trajectory in trajectories])
    logp, agrees = compare(distribution, np.concatenate(outputs.inputs), actions)
    return Figures(len(actions), float(agrees.mean()), float(logp.mean()))


def compare(
    distribution: ActionDistribution, inputs: Array, actions: Array
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The log probability of each row's action, and whether it is the likeliest, (B,) each."""
    logp = distribution.log_probability(torch.as_tensor(inputs, dtype=torch.float64), torch.as_tensor(actions)).numpy()
    if isinstance(distribution, MultiCategorical):
        parts = np.split(inputs, np.cumsum(distribution.parts)[:-1], axis=1)
        likeliest = np.stack([part.argmax(axis=1) for part in parts], axis=1)
        return logp, (likeliest == actions.reshape(len(actions), -1)).all(axis=1)
    return logp, (np.abs(actions - np.split(inputs, 2, axis=1)[0]) <= CLOSE).all(axis=1)
