"""Epochs: all decisions to learn from as columns, in another order for each pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trainer.imitation.lessons import Array, Lesson, returns
from trainer.imitation.recurrent_pass import RecurrentPass, piece_of, walk
from trainer.networks.seat import SeatNetwork

OBS, ACTIONS, MASK, LOSS_MASK, TARGETS = "obs", "actions", "action_mask", "loss_mask", "value_targets"
MEMORY = "memory_"
"""Columns; one of each part of the memory begins with MEMORY."""


class Epochs:
    """All lessons, shuffled anew for each epoch; each decision as often as it weighs.

    A recurrent network's rows are sequences, which weigh as their weightiest decision does.
    """

    def __init__(self, lessons: Sequence[Lesson], *, sequence: int, gamma: float, noise: float, seed: int) -> None:
        self.lessons, self._sequence, self._gamma, self._noise = list(lessons), sequence, gamma, noise
        self._rng = np.random.default_rng(seed)
        self._columns: dict[str, Array] = {}
        self.walked: RecurrentPass | None = None  # how the network was before the newest epoch

    def rows(self, network: SeatNetwork) -> int:
        """Of an epoch."""
        return int(self._weights(piece_of(network, self._sequence)).sum())

    def next(self, network: SeatNetwork) -> dict[str, Array]:
        """The columns of the next epoch, with the memory and the bootstrapped returns that `network` has now."""
        self.walked = walk(network, self.lessons, sequence=self._sequence)
        piece = piece_of(network, self._sequence)
        if not self._columns:
            self._columns = self._unchanging(piece)
        weights = self._weights(piece)
        order = self._rng.permutation(np.repeat(np.arange(len(weights)), weights))
        columns = self._columns | self._changing(self.walked, piece)
        return self._blurred({name: column[order] for name, column in columns.items()})

    def _unchanging(self, piece: int) -> dict[str, Array]:
        columns = {
            OBS: self._joined([lesson.seen[:-1] for lesson in self.lessons], piece),
            ACTIONS: self._joined([lesson.actions for lesson in self.lessons], piece),
        }
        if self.lessons[0].masks is not None:
            masks = [lesson.masks[:-1] for lesson in self.lessons if lesson.masks is not None]
            columns[MASK] = self._joined(masks, piece, fill=1)
        if piece > 1:
            columns[LOSS_MASK] = self._joined([np.ones(len(one), np.bool_) for one in self.lessons], piece)
        return columns

    def _changing(self, walked: RecurrentPass, piece: int) -> dict[str, Array]:
        paid = [
            returns(lesson, float(values[-1]), gamma=self._gamma)
            for lesson, values in zip(self.lessons, walked.values, strict=True)
        ]
        columns = {TARGETS: self._joined(paid, piece)}
        for name in walked.memory[0]:
            columns[MEMORY + name] = np.concatenate([memory[name] for memory in walked.memory])
        return columns

    def _blurred(self, columns: dict[str, Array]) -> dict[str, Array]:
        seen = columns[OBS]
        if self._noise and seen.dtype.kind == "f":
            spread = seen.std(axis=tuple(range(seen.ndim - 1)))
            noise = self._rng.standard_normal(seen.shape, dtype=np.float32) * (self._noise * spread)
            columns[OBS] = (seen + noise).astype(seen.dtype)
        return columns

    def _weights(self, piece: int) -> NDArray[np.int64]:
        weights = self._joined([lesson.weights for lesson in self.lessons], piece)
        return weights if piece == 1 else weights.max(axis=1)

    def _joined(self, parts: list[Array], piece: int, *, fill: int = 0) -> Array:
        """Row by row, or (S, piece, …) with rows of `fill` behind each part's last."""
        if piece == 1:
            return np.concatenate(parts)
        cut = []
        for part in parts:
            rest = np.full((-len(part) % piece, *part.shape[1:]), fill, part.dtype)
            cut.append(np.concatenate([part, rest]).reshape(-1, piece, *part.shape[1:]))
        return np.concatenate(cut)
