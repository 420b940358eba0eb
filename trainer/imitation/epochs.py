"""Epochs: the training data as columns, shuffled for each epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trainer.imitation.dataset import Array, Trajectory, returns
from trainer.imitation.network_outputs import piece_of, run_network
from trainer.networks.seat import SeatNetwork

OBS, ACTIONS, MASK, LOSS_MASK, TARGETS = "obs", "actions", "action_mask", "loss_mask", "value_targets"
MEMORY = "memory_"
"""Columns; those of the memory begin with MEMORY."""


class Epochs:
    """All decisions, each as often as its weight; a recurrent network has sequences, with their largest weight."""

    def __init__(
        self, network: SeatNetwork, trajectories: Sequence[Trajectory], *, sequence: int, gamma: float, noise: float,
        seed: int,
    ) -> None:  # fmt: skip
        self._network, self._sequence, self._gamma, self._noise = network, sequence, gamma, noise
        self.trajectories = list(trajectories)
        self._piece = piece_of(network, sequence)
        self._rng = np.random.default_rng(seed)
        self._constant = self._constant_columns()
        weights = self._joined([trajectory.weights for trajectory in self.trajectories])
        counts = weights if self._piece == 1 else weights.max(axis=1)
        self._rows = np.repeat(np.arange(len(counts)), counts)

    def __len__(self) -> int:
        """Number of rows of an epoch."""
        return len(self._rows)

    def next(self) -> dict[str, Array]:
        """The columns of the next epoch, with the present memory and bootstrapped returns of the network."""
        columns = self._constant | self._changing_columns()
        order = self._rng.permutation(self._rows)
        return self._blurred({name: column[order] for name, column in columns.items()})

    def _constant_columns(self) -> dict[str, Array]:
        columns = {
            OBS: self._joined([trajectory.seen[:-1] for trajectory in self.trajectories]),
            ACTIONS: self._joined([trajectory.actions for trajectory in self.trajectories]),
        }
        if self.trajectories[0].masks is not None:
            masks = [trajectory.masks[:-1] for trajectory in self.trajectories if trajectory.masks is not None]
            columns[MASK] = self._joined(masks, fill=1)
        if self._piece > 1:
            columns[LOSS_MASK] = self._joined([np.ones(len(one), np.bool_) for one in self.trajectories])
        return columns

    def _changing_columns(self) -> dict[str, Array]:
        outputs = run_network(self._network, self.trajectories, sequence=self._sequence)
        paid = [
            returns(trajectory, float(values[-1]), gamma=self._gamma)
            for trajectory, values in zip(self.trajectories, outputs.values, strict=True)
        ]
        columns = {TARGETS: self._joined(paid)}
        for name in outputs.memory[0]:
            columns[MEMORY + name] = np.concatenate([memory[name] for memory in outputs.memory])
        return columns

    def _blurred(self, columns: dict[str, Array]) -> dict[str, Array]:
        seen = columns[OBS]
        if self._noise and seen.dtype.kind == "f":
            spread = seen.std(axis=tuple(range(seen.ndim - 1)))
            noise = self._rng.standard_normal(seen.shape, dtype=np.float32) * (self._noise * spread)
            columns[OBS] = (seen + noise).astype(seen.dtype)
        return columns

    def _joined(self, parts: list[Array], *, fill: int = 0) -> Array:
        """Rows, or (S, piece, …) with each part padded by rows of `fill`."""
        piece = self._piece
        if piece == 1:
            return np.concatenate(parts)
        cut = []
        for part in parts:
            rest = np.full((-len(part) % piece, *part.shape[1:]), fill, part.dtype)
            cut.append(np.concatenate([part, rest]).reshape(-1, piece, *part.shape[1:]))
        return np.concatenate(cut)
