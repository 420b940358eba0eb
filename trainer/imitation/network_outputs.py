"""Runs a network over whole trajectories, with its memory as in play, and measures its agreement with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from trainer.imitation.dataset import Array, Trajectory
from trainer.networks.distributions import ActionDistribution, MultiCategorical
from trainer.networks.seat import SeatNetwork

AT_ONCE = 4096
"""Batch size of a network without a memory."""

CLOSE = 0.1
"""Largest difference of agreeing entries of a box, as a share of half its width."""


@dataclass(frozen=True, slots=True, eq=False)
class NetworkOutputs:
    """A network's outputs, trajectory by trajectory."""

    inputs: list[NDArray[np.float32]]  # (T, k): what its actions would be drawn from
    values: list[NDArray[np.float32]]  # (T + 1,); zeros for a network without a value
    memory: list[dict[str, Array]]  # name → (pieces, …): from before each piece of `piece_of` decisions


def piece_of(network: SeatNetwork, sequence: int) -> int:
    """Length of the sequences that are learnt together, in decisions."""
    return sequence if network.recurrent else 1


def run_network(network: SeatNetwork, trajectories: Sequence[Trajectory], *, sequence: int) -> NetworkOutputs:
    """`sequence` is the sequence length of a recurrent network."""
    with torch.inference_mode():
        if network.memory:
            return _remembering(network, trajectories, piece_of(network, sequence))
        return _at_once(network, trajectories)


def _at_once(network: SeatNetwork, trajectories: Sequence[Trajectory]) -> NetworkOutputs:
    seen = np.concatenate([trajectory.seen for trajectory in trajectories])
    masks = None if trajectories[0].masks is None else np.concatenate([_masks(one) for one in trajectories])
    inputs, values = [], []
    for i in range(0, len(seen), AT_ONCE):
        mask = None if masks is None else torch.as_tensor(masks[i : i + AT_ONCE])
        heads = network.decide(torch.as_tensor(seen[i : i + AT_ONCE]), mask, {})
        inputs.append(heads.inputs.numpy())
        values.append(_values(heads.value, len(heads.inputs)))
    cuts = np.cumsum([len(trajectory.seen) for trajectory in trajectories])[:-1]
    split_inputs = [part[:-1] for part in np.split(np.concatenate(inputs), cuts)]
    return NetworkOutputs(split_inputs, np.split(np.concatenate(values), cuts), [{} for _ in trajectories])


def _remembering(network: SeatNetwork, trajectories: Sequence[Trajectory], piece: int) -> NetworkOutputs:
    """Run all trajectories in parallel, a piece of each at a time, until each has ended."""
    rows = sorted(range(len(trajectories)), key=lambda i: -len(trajectories[i]))
    memory = dict(network.begin(len(trajectories)))
    kept: list[list[tuple[Any, ...]]] = [[] for _ in trajectories]
    for start in range(0, len(trajectories[rows[0]]) + 1, piece):
        rows = [i for i in rows if len(trajectories[i]) + 1 > start]
        memory = {name: part[: len(rows)] for name, part in memory.items()}
        before = {name: part.numpy().copy() for name, part in memory.items()}
        seen, mask = _piece([trajectories[i] for i in rows], start, piece)
        heads = (network.unroll if network.recurrent else network.decide)(seen, mask, memory)
        memory, inputs = heads.memory, heads.inputs.numpy().reshape(len(rows), piece, -1)
        values = _values(heads.value, len(rows) * piece).reshape(len(rows), piece)
        for place, i in enumerate(rows):
            kept[i].append((inputs[place], values[place], {name: part[place] for name, part in before.items()}))
    long = [len(trajectory) for trajectory in trajectories]
    return NetworkOutputs(
        [np.concatenate([one[0] for one in own])[:n] for own, n in zip(kept, long, strict=True)],
        [np.concatenate([one[1] for one in own])[: n + 1] for own, n in zip(kept, long, strict=True)],
        [_stacked([one[2] for one in own][: -(-n // piece)]) for own, n in zip(kept, long, strict=True)],
    )


def _piece(trajectories: Sequence[Trajectory], start: int, piece: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    """(B, piece, …) of each trajectory, without the second axis where a piece is one decision; the last is padded."""
    seen = np.stack([_padded(trajectory.seen[start : start + piece], piece) for trajectory in trajectories])
    masks = None
    if trajectories[0].masks is not None:
        masks = np.stack([_padded(_masks(trajectory)[start : start + piece], piece) for trajectory in trajectories])
    if piece == 1:
        return torch.as_tensor(seen[:, 0]), None if masks is None else torch.as_tensor(masks[:, 0])
    return torch.as_tensor(seen), None if masks is None else torch.as_tensor(masks)


def _padded(rows: Array, length: int) -> Array:
    return np.concatenate([rows, np.repeat(rows[-1:], length - len(rows), axis=0)])


def _stacked(rows: list[dict[str, Array]]) -> dict[str, Array]:
    return {name: np.stack([row[name] for row in rows]) for name in rows[0]}


def _masks(trajectory: Trajectory) -> NDArray[np.int8]:
    assert trajectory.masks is not None
    return trajectory.masks


def _values(value: torch.Tensor | None, rows: int) -> NDArray[np.float32]:
    return np.zeros(rows, np.float32) if value is None else value.numpy()


@dataclass(frozen=True, slots=True)
class Figures:
    """Over the decisions of some trajectories, weighed as in learning."""

    decisions: int  # that count
    accuracy: float  # share of decisions whose recorded action is the likeliest, in all its parts
    log_likelihood: float  # mean log probability of the recorded actions, for boxes log density


def measure(
    distribution: ActionDistribution, trajectories: Sequence[Trajectory], outputs: NetworkOutputs, *,
    correction: float = 1.0,
) -> Figures:  # fmt: skip
    """Accuracy and log-likelihood, from a network's `outputs` over the trajectories."""
    actions = np.concatenate([trajectory.actions for trajectory in trajectories])
    weights = np.concatenate([trajectory.weights(correction) for trajectory in trajectories])
    logp, agrees = compare(distribution, np.concatenate(outputs.inputs), actions)
    return Figures(int(np.count_nonzero(weights)), mean(agrees, weights), mean(logp, weights))


def mean(values: Array, weights: NDArray[np.float32]) -> float:
    """The weighted mean, 0 where nothing counts."""
    return float(np.average(values, weights=weights)) if weights.any() else 0.0


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
