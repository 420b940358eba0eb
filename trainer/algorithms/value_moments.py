"""ValueMoments: the moments of a critic's targets, by which it learns values in their own deviations."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, distributed

from trainer.algorithms.row_learner import RowLearner

KEPT = 0.9
"""Share of the statistics that is kept when a batch is added: they follow targets that grow as the policy improves."""

SMALLEST = 1e-3
"""Of a deviation: where all targets are the same there is nothing to scale."""


class Scale(NamedTuple):
    """Of value targets, in the unit of rewards."""

    mean: float
    deviation: float

    def normalised(self, values: Tensor) -> Tensor:
        """Values (…) in deviations from the mean."""
        return (values - self.mean) / self.deviation


class ValueMoments(RowLearner):
    """Mixed into a learner of policies with values; they move with each batch, over all learners together."""

    def build(self) -> None:
        self.moments: dict[str, list[float]] = {}  # critic's module id to weight, weighted first and second moment
        super().build()

    def move(self, critic: str, sums: Tensor) -> Scale:
        """Add a batch's targets, by their `sums_of`, to the moments of a critic; the scale after it."""
        if self.config.num_learners > 1:
            distributed.all_reduce(sums)
        self.moments[critic] = moved(self.moments.get(critic), sums.tolist())
        return scale_of(self.moments[critic])

    def no_sums(self) -> Tensor:
        """The sums of a batch without targets."""
        return torch.zeros(3, dtype=torch.float64, device=self._device)

    def forget(self, module_id: str) -> None:
        super().forget(module_id)
        self.moments.pop(module_id, None)

    def get_state(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = super().get_state(*args, **kwargs)
        return state | {"value_moments": {id: list(moments) for id, moments in self.moments.items()}}

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        self.moments = {id: list(moments) for id, moments in state.get("value_moments", self.moments).items()}


def sums_of(targets: Tensor) -> Tensor:
    """Count, sum and sum of squares, float64 (3,), of value targets."""
    values = targets.double()
    return torch.stack([values.new_tensor(float(values.numel())), values.sum(), values.square().sum()])


def moved(moments: list[float] | None, sums: list[float]) -> list[float]:
    """The moments after a batch with these sums; the same where it is empty."""
    before = moments or [0.0, 0.0, 0.0]
    if not sums[0]:
        return before
    batch = [1.0, sums[1] / sums[0], sums[2] / sums[0]]
    return [KEPT * old + (1 - KEPT) * new for old, new in zip(before, batch, strict=True)]


def scale_of(moments: list[float]) -> Scale:
    """The mean and deviation of weighted moments."""
    weight, first, second = moments
    if not weight:
        return Scale(0.0, 1.0)
    mean = first / weight
    return Scale(mean, max(SMALLEST, max(0.0, second / weight - mean**2) ** 0.5))
