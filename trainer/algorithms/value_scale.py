"""ScaledValueLearner: critics learn values of mean 0 and deviation 1, whatever the game's rewards are.

This is PopArt (van Hasselt, Guez, Hessel, Mnih and Silver, "Learning values across many orders of magnitude", NeurIPS
2016): when the statistics change, the last layer of the critic is rescaled so that it says the same.  Here it is
rescaled for the time of an update alone, and back afterwards, so that runners, checkpoints and snapshots have values in
the rewards' own unit and need no statistics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing
from torch import Tensor, nn

from trainer.algorithms.minibatch_learner import MinibatchLearner
from trainer.algorithms.minibatches import Minibatches
from trainer.algorithms.value_moments import Scale, ValueMoments, sums_of
from trainer.networks.modules import CRITIC, SeatModule

TARGETS = Postprocessing.VALUE_TARGETS


class ScaledValueLearner(ValueMoments, MinibatchLearner):
    """Mixed into a learner of policies with values; learner_config_dict has `scale_values`."""

    def build(self) -> None:
        self._scales: dict[nn.Linear, Scale] = {}
        super().build()

    def prepare(self, learnt: dict[str, Mapping[str, Tensor]]) -> None:
        self._scales = {}
        if self.config.learner_config_dict.get("scale_values"):
            for critic, policies in self._critics().items():
                self._scale(critic, policies, learnt)
        super().prepare(learnt)

    def _learn(self, minibatches: Minibatches) -> Mapping[str, Tensor]:
        with normalised_outputs(self._scales):
            return super()._learn(minibatches)

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
        sums = (sums_of(self.value_targets(id, rows)) for id, rows in own.items())
        scale = self.move(critic, sum(sums, self.no_sums()))
        for id, rows in own.items():
            learnt[id] = dict(rows) | self.normalised(rows, scale)
        module: Any = self.module[critic].unwrapped()
        self._scales[module.network.vf.layers[-1]] = scale

    def value_targets(self, policy: str, rows: Mapping[str, Tensor]) -> Tensor:
        """The value targets (M,) of the decisions in a whole batch."""
        return rows[TARGETS] if Columns.LOSS_MASK not in rows else rows[TARGETS][rows[Columns.LOSS_MASK]]

    def normalised(self, rows: Mapping[str, Tensor], scale: Scale) -> dict[str, Tensor]:
        """The columns that make a critic learn normalised values."""
        return {TARGETS: scale.normalised(rows[TARGETS])}


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
