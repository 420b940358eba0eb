"""RowLearner: the base of all learners, which keeps the running statistics of observations."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.core.learner.torch.torch_learner import TorchLearner
from ray.rllib.core.learner.training_data import TrainingData
from torch import Tensor, distributed

from trainer.networks.modules import CRITIC, STATE


class RowLearner(TorchLearner):
    """Updates the statistics by which observations are normalised once a batch, after learning from it.

    A batch is learnt from with the statistics that it was drawn with: with others the policy would differ from the one
    that acted before its first gradient step.  Several learners average their statistics.
    """

    def build(self) -> None:
        self._learnt: dict[str, list[Tensor]] = {}  # module id to the observations, or states, of the newest batch
        super().build()

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        params = list(self.get_parameters(self.module[module_id]))
        adam = torch.optim.Adam(params, fused=True, eps=config.learner_config_dict.get("adam_epsilon", 1e-8))
        self.register_optimizer(module_id=module_id, optimizer=adam, params=params, lr_or_lr_schedule=config.lr)

    def forget(self, module_id: str) -> None:
        """Drop all that was learnt of a module besides its weights; optimizers make their moments anew."""
        for _, optimizer in self.get_optimizers_for_module(module_id):
            optimizer.state.clear()

    def whole_batch(self, data: TrainingData) -> Any:
        """The MultiAgentBatch to learn from, by the learner connector where `data` has episodes."""
        batch: Any = self._make_batch_if_necessary(data)
        self._learnt = {id: [_decisions(rows, "obs")] for id, rows in batch.policy_batches.items()}
        states = [_decisions(rows, STATE) for rows in batch.policy_batches.values() if STATE in rows]
        self._learnt |= {CRITIC: states} if states else {}
        return batch

    def _create_iterator_if_necessary(self, *, training_data: TrainingData, **kwargs: Any) -> Any:
        batch = TrainingData(batch=self.whole_batch(training_data))
        return super()._create_iterator_if_necessary(training_data=batch, **kwargs)

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        modules: Any = self.module
        for id, seen in self._learnt.items():
            module = modules[id].unwrapped()
            if hasattr(module, "observe_rows"):  # RLlib's own modules have no statistics
                module.observe_rows(torch.cat(seen))
        self._learnt = {}
        if self.config.num_learners > 1:
            average_buffers([buffer for module in modules.values() for buffer in module.buffers()])
        super().after_gradient_based_update(timesteps=timesteps)


@torch.no_grad()
def average_buffers(buffers: list[Tensor]) -> None:
    """Average each of them over the learners."""
    if not buffers:
        return
    together = torch.cat([buffer.reshape(-1) for buffer in buffers])
    distributed.all_reduce(together)
    parts = (together / distributed.get_world_size()).split([buffer.numel() for buffer in buffers])
    for buffer, part in zip(buffers, parts, strict=True):
        buffer.copy_(part.view_as(buffer))


def _decisions(rows: Any, column: str) -> Tensor:
    """The column for all decisions in a batch, without padding."""
    seen: Tensor = rows[column]
    return seen if "loss_mask" not in rows else seen[rows["loss_mask"]]
