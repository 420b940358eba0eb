"""SeveralLearners: synchronises parallel learners, also with unequal parts of a batch."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from typing import Any

import torch
from ray.rllib.core.learner.training_data import TrainingData
from torch import distributed, nn

from trainer.algorithms.row_learner import RowLearner

DDP_SETTINGS = {"broadcast_buffers": False}
"""For RLlib's torch_ddp_kwargs: the learners average buffers themselves."""


class SeveralLearners(RowLearner):
    """Mixed into a learner; with one learner it changes nothing.  Needs `DDP_SETTINGS`.

    RLlib counts the minibatches of an update by env steps; here they are counted by decisions, of which a seat may have
    more or fewer.  RLlib leaves gradients to torch's DistributedDataParallel, which waits for ever if only some
    learners have decisions of a policy, and misses the gradients of a critic or encoder that policies share; here they
    are averaged over the learners that have them.
    """

    def _create_iterator_if_necessary(
        self, *, training_data: TrainingData, num_total_minibatches: int = 0, num_epochs: int = 1,
        minibatch_size: int | None = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        if self.config.num_learners > 1:
            batch: Any = self._make_batch_if_necessary(training_data)
            training_data = TrainingData(batch=batch)
            num_total_minibatches = self.minibatch_count(batch, num_epochs, minibatch_size) or num_total_minibatches
        return super()._create_iterator_if_necessary(
            training_data=training_data, num_total_minibatches=num_total_minibatches, num_epochs=num_epochs,
            minibatch_size=minibatch_size, **kwargs,
        )  # fmt: skip

    def minibatch_count(self, batch: Any, epochs: int, size: int | None) -> int:
        """The highest number of minibatches that any of several learners needs; 0 for one learner or no `size`."""
        if self.config.num_learners < 2 or not size:
            return 0
        return self._maximum(-(-epochs * max(map(len, batch.policy_batches.values())) // size))

    def _uncompiled_update(self, batch: dict[str, Any], **kwargs: Any) -> Any:
        if self.config.num_learners < 2:
            return super()._uncompiled_update(batch, **kwargs)
        with contextlib.ExitStack() as stack:
            for module in self._modules:
                stack.enter_context(module.no_sync())
            forwarded = self.module.forward_train(batch)
            losses = self.compute_losses(fwd_out=forwarded, batch=batch)
            self.compute_gradients(losses)
        parameters: Any = self._params.values()
        average_gradients(parameters)
        gradients = {ref: parameter.grad for ref, parameter in self._params.items()}
        self.apply_gradients(self.postprocess_gradients(gradients))
        return forwarded, losses, {}

    @property
    def _modules(self) -> list[Any]:
        return list(self.module.values())

    def _maximum(self, count: int) -> int:
        """The highest count that any learner has."""
        agreed = torch.tensor(count, device=self._device)
        distributed.all_reduce(agreed, op=distributed.ReduceOp.MAX)
        return int(agreed)


def average_gradients(parameters: Collection[nn.Parameter]) -> None:
    """Each gradient becomes the mean over the learners that have it, None where none has."""
    grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
    present = [grads[0].new_full((1,), float(p.grad is not None)) for p in parameters]
    together = torch.cat([tensor.reshape(-1) for tensor in (*grads, *present)])
    distributed.all_reduce(together)
    *sums, learners = together.split([*(g.numel() for g in grads), len(grads)])
    for parameter, total, count in zip(parameters, sums, learners.tolist(), strict=True):
        parameter.grad = total.view_as(parameter) / count if count else None
