"""ScaledValueLearner: critics learn values of mean 0 and deviation 1, whatever the game's rewards are.

This is PopArt (van Hasselt, Guez, Hessel, Mnih and Silver, "Learning values across many orders of magnitude", NeurIPS
2016): when the statistics change, the last layer of the critic is rescaled so that it says the same.  Here it is
rescaled for the time of an update alone, and back afterwards, so that runners, checkpoints and snapshots have values in
the rewards' own unit and need no statistics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing
from torch import Tensor, distributed, nn

from trainer.algorithms.minibatch_learner import MinibatchLearner
from trainer.algorithms.minibatches import Minibatches
from trainer.networks.modules import CRITIC, SeatModule

KEPT = 0.9
"""Share of the statistics that is kept when a batch is added: they follow targets that grow as the policy improves."""

TARGETS = Postprocessing.VALUE_TARGETS

SMALLEST = 1e-3
"""Of a deviation: where all targets are the same there is nothing to scale."""


class Scale(NamedTuple):
    """Of value targets, in the unit of rewards."""

    mean: float
    deviation: float

    def normalised(self, values: Tensor) -> Tensor:
        """Values (…) in deviations from the mean."""
        return (values - self.mean) / self.deviation


class ScaledValueLearner(MinibatchLearner):
    """Mixed into a learner of policies with values; learner_config_dict has `scale_values`.

    The targets' moments move with each batch, over all learners together.
    """

    def build(self) -> None:
        self.moments: dict[str, list[float]] = {}  # critic's module id to weight, weighted first and second moment
        self._scales: dict[nn.Linear, Scale] = {}
        super().build()

    def prepare(self, learnt: dict[str, Mapping[str, Tensor]], size: int) -> None:
        self._scales = {}
        if self.config.learner_config_dict.get("scale_values"):
            for critic, policies in self._critics().items():
                self._scale(critic, policies, learnt)
        super().prepare(learnt, size)

    def _learn(self, minibatches: Minibatches) -> Mapping[str, Tensor]:
        with normalised_outputs(self._scales):
            return super()._learn(minibatches)

    def forget(self, module_id: str) -> None:
        super().forget(module_id)
        self.moments.pop(module_id, None)

    def _critics(self) -> dict[str, list[str]]:
        """Id of a module with a critic to the policies whose values it learns."""
        found: dict[str, list[str]] = {}
        for id in sorted(filter(self.should_module_be_updated, self.module.keys())):
            module = self.module[id].unwrapped()
            if isinstance(module, SeatModule):
                found.setdefault(CRITIC if module.network.vf is None else id, []).append(id)
        return found

    def _scale(self, critic: str, policies: list[str], learnt: dict[str, Mapping[str, Tensor]]) -> None:
        """Add the policies' targets to the moments, and normalise them."""
        own = {id: learnt[id] for id in policies if id in learnt}
        sums = sum((sums_of(rows) for rows in own.values()), torch.zeros(3, dtype=torch.float64, device=self._device))
        if self.config.num_learners > 1:
            distributed.all_reduce(sums)
        self.moments[critic] = moved(self.moments.get(critic), sums.tolist())
        scale = scale_of(self.moments[critic])
        for id, rows in own.items():
            learnt[id] = dict(rows) | {TARGETS: scale.normalised(rows[TARGETS])}
        module: Any = self.module[critic].unwrapped()
        self._scales[module.network.vf.layers[-1]] = scale

    def get_state(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = super().get_state(*args, **kwargs)
        return state | {"value_moments": {id: list(moments) for id, moments in self.moments.items()}}

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        self.moments = {id: list(moments) for id, moments in state.get("value_moments", self.moments).items()}


def sums_of(rows: Mapping[str, Tensor]) -> Tensor:
    """Count, sum and sum of squares, float64 (3,), of the value targets of decisions, without padding."""
    targets = rows[TARGETS] if Columns.LOSS_MASK not in rows else rows[TARGETS][rows[Columns.LOSS_MASK]]
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


@contextmanager
def normalised_outputs(scales: Mapping[nn.Linear, Scale]) -> Iterator[None]:
    """Let the last layers of critics put out normalised values; afterwards values again, also of a cut-off update."""
    with ExitStack() as restored:
        for layer, scale in scales.items():
            _rescale(layer, 1 / scale.deviation, -scale.mean / scale.deviation)
            restored.callback(_rescale, layer, scale.deviation, scale.mean)
        yield


@torch.no_grad()
def _rescale(layer: nn.Linear, factor: float, shift: float) -> None:
    """Turn outputs y into factor y + shift; in place, since optimizers hold the tensors."""
    layer.weight.mul_(factor)
    layer.bias.mul_(factor).add_(shift)
