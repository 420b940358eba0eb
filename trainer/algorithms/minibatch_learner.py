"""MinibatchLearner: one loop over the minibatches of an update, with the least Python between two gradient steps."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from contextlib import nullcontext
from typing import Any

import torch
from ray.rllib.core import ALL_MODULES
from ray.rllib.core.learner.training_data import TrainingData
from ray.rllib.utils.metrics import (
    MODULE_TRAIN_BATCH_SIZE_MEAN,
    NUM_ENV_STEPS_TRAINED,
    NUM_ENV_STEPS_TRAINED_LIFETIME,
    NUM_MODULE_STEPS_TRAINED,
    NUM_MODULE_STEPS_TRAINED_LIFETIME,
    WEIGHTS_SEQ_NO,
)
from torch import Tensor, distributed
from torch.linalg import vector_norm
from torch.nn.utils import get_total_norm

from trainer.algorithms.adam_step import AdamStep
from trainer.algorithms.minibatches import Minibatches
from trainer.algorithms.played_statistics import PlayedStatistics
from trainer.algorithms.several_learners import SeveralLearners
from trainer.sampling.runner import OverlappedRunner

CLIP_EPSILON = 1e-6
"""Added to norms by torch.nn.utils.clip_grads_with_norm_, and so by RLlib."""


class MinibatchLearner(SeveralLearners):
    """Makes the updates of RLlib's learners, without their work between the gradient steps.

    RLlib shuffles, slices and joins SampleBatches, logs the metrics of every minibatch although only the last ones are
    kept, asks for each policy's configuration, and clips and checks gradients tensor by tensor.
    """

    def build(self) -> None:
        self.norms: dict[str, Tensor] = {}  # module id to the norm of its newest gradient, where it is finite
        self.direct: dict[str, Tensor] = {}
        """Modules that learn without autograd in this update, each with the gradient of all its parameters in one."""
        self._steps: dict[str, AdamStep] = {}
        self._played, self._is_overlapped = PlayedStatistics(), self.config.env_runner_cls is OverlappedRunner
        super().build()

    def update(
        self, batch: Any = None, *args: Any, training_data: Any = None, timesteps: dict[str, Any] | None = None,
        num_total_minibatches: int = 0, num_epochs: int = 1, minibatch_size: int | None = None,
        shuffle_batch_per_epoch: bool = False, _no_metrics_reduce: bool = False, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """`num_epochs` passes over the batch, or that the learner connector makes of the episodes."""
        self.before_gradient_based_update(timesteps=timesteps or {})
        data = training_data or TrainingData(batch=batch, **kwargs)
        data.validate()
        data.solve_refs()
        self._weights_seq_no += 1
        whole = self.whole_batch(data)
        learnt: dict[str, Mapping[str, Tensor]] = {
            id: dict(rows) for id, rows in whole.policy_batches.items() if self.should_module_be_updated(id)
        }
        unknown = learnt.keys() - set(self.module.keys())
        if unknown:
            raise ValueError(f"expected rows of {set(self.module.keys())}, got those of {unknown} too")
        modules: Any = self.module.values()  # they are torch's
        with self._played.in_force(modules) if self._is_overlapped else nullcontext():
            self.prepare(learnt)
            minibatches = Minibatches(
                learnt, size=minibatch_size or 0, epochs=num_epochs,
                shuffle=shuffle_batch_per_epoch and bool(minibatch_size),
                count=self.minibatch_count(whole, num_epochs, minibatch_size) or num_total_minibatches,
            )  # fmt: skip
            losses = self._learn(minibatches)
        self._log(minibatches, losses, env_steps=whole.env_steps())
        self.after_gradient_based_update(timesteps=timesteps or {})
        return None if _no_metrics_reduce else self.metrics.reduce()

    def prepare(self, learnt: dict[str, Mapping[str, Tensor]]) -> None:
        """Prepare for an update; may replace the columns of `learnt`."""

    def learn_directly(self, module_id: str, batch: dict[str, Tensor]) -> None:
        """Give the parameters of one of the `direct` modules their gradients by a minibatch."""
        raise NotImplementedError

    def direct_loss(self, module_id: str) -> Tensor:
        """The loss of one of the `direct` modules in its newest minibatch."""
        raise NotImplementedError

    def divergence(self, module_id: str) -> Tensor:
        """The divergence of a policy that kl_stop bounds, in the newest minibatch."""
        raise NotImplementedError

    def _learn(self, minibatches: Minibatches) -> Mapping[str, Tensor]:
        """The losses of each policy's last minibatch."""
        losses: dict[str, Tensor] = {}
        configs = {id: self.config.get_config_for_module(id) for id in self.module.keys()}  # noqa: SIM118
        params = {id: list(self.get_parameters(self.module[id])) for id in configs}
        for module in self.module.values():
            module.train()  # type: ignore[attr-defined]  # they are torch's
        self._steps = {id: AdamStep(self.get_optimizer(id)) for id, own in params.items() if own}
        limit = self.config.learner_config_dict.get("kl_stop", 0.0)
        for rows in minibatches:
            if self.config.num_learners > 1:
                losses |= self._uncompiled_update(rows)[1]
            else:
                losses |= self._gradient_step(rows, configs, params)
            for id in self._diverged(rows, limit) if limit else ():
                minibatches.stop(id)
        return losses | {id: self.direct_loss(id) for id in self.direct if minibatches.made[id]}

    def _diverged(self, rows: Mapping[str, Any], limit: float) -> list[str]:
        """The policies of a minibatch whose divergence is above the limit: its mean over all learners that have it."""
        ids = sorted(self.module.keys())
        zero = torch.zeros((), device=self._device)
        found = torch.stack([self.divergence(id) if id in rows else zero for id in ids])
        present = torch.tensor([float(id in rows) for id in ids], device=self._device)
        if self.config.num_learners > 1:
            distributed.all_reduce(found)
            distributed.all_reduce(present)
        above = (found / present.clamp(min=1) > limit).tolist()
        return [id for id, is_above in zip(ids, above, strict=True) if is_above and id in rows]

    def _gradient_step(
        self, rows: dict[str, dict[str, Tensor]], configs: Mapping[str, Any], params: Mapping[str, list[Tensor]]
    ) -> Mapping[str, Tensor]:
        losses: dict[str, Any] = {}
        modules = self.module
        for own in (own for id, own in params.items() if id not in self.direct):
            for param in own:
                param.grad = None
        for id, batch in rows.items():
            if id in self.direct:
                self.learn_directly(id, batch)
                continue
            out = modules[id]._forward_train(batch)
            losses[id] = self.compute_loss_for_module(module_id=id, config=configs[id], batch=batch, fwd_out=out)
        if losses:
            total: Any = sum(losses.values())
            total.backward()
        if not self._clip(configs, params, rows):
            gradients = {ref: p.grad for ref, p in self._params.items() if p.grad is not None}
            self.apply_gradients(self.postprocess_gradients(gradients))
            return losses
        for id in self.norms:
            self._steps[id].step()
        return losses

    def _clip(self, configs: Mapping[str, Any], params: Mapping[str, list[Tensor]], rows: Collection[str]) -> bool:
        """Clip each module's gradient by one norm of all its tensors; False, and nothing changed, if one is not
        finite, which RLlib handles tensor by tensor."""
        grads = {
            id: found for id, own in params.items()
            if id not in self.direct and (found := [p.grad for p in own if p.grad is not None])
        } | {id: [self.direct[id]] for id in rows if id in self.direct}  # fmt: skip
        self.norms = {
            id: vector_norm(*found) if id in self.direct else get_total_norm(found) for id, found in grads.items()
        }
        sizes = {id: float(norm) for id, norm in self.norms.items()}
        if not all(map(math.isfinite, sizes.values())):
            self.norms = {}
            return False
        for id, size in sizes.items():
            if (limit := configs[id].grad_clip) is not None and size > limit - CLIP_EPSILON:
                for grad in grads[id]:
                    grad.mul_(limit / (size + CLIP_EPSILON))
        return True

    def _log(self, minibatches: Minibatches, losses: Mapping[str, Tensor], *, env_steps: int) -> None:
        """RLlib's metrics of an update, whose windows keep those of the last minibatch."""
        log, steps = self.metrics.log_value, 0
        for id, rows in minibatches.sizes.items():
            own = rows * minibatches.made[id]
            steps += own
            log((id, WEIGHTS_SEQ_NO), self._weights_seq_no, window=1)
            log((id, MODULE_TRAIN_BATCH_SIZE_MEAN), rows, reduce="mean")
            log((id, NUM_MODULE_STEPS_TRAINED), own, reduce="sum")
            log((id, NUM_MODULE_STEPS_TRAINED_LIFETIME), own, reduce="lifetime_sum", with_throughput=True)
            log((id, self.TOTAL_LOSS_KEY), losses[id].detach(), window=1)
        made = max(minibatches.made.values(), default=0)
        for key, value, reduce in (
            (NUM_MODULE_STEPS_TRAINED, steps, "sum"),
            (NUM_MODULE_STEPS_TRAINED_LIFETIME, steps, "lifetime_sum"),
            (NUM_ENV_STEPS_TRAINED, env_steps * made, "sum"),
            (NUM_ENV_STEPS_TRAINED_LIFETIME, env_steps * made, "lifetime_sum"),
        ):
            log((ALL_MODULES, key), value, reduce=reduce, with_throughput=True)
