"""AlphaZero: the learner of the policies and values that searches found; `sampling.searching_seats` plays.

RLlib's PPO is the loop around it: sample, learn from what was sampled, send the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.ppo import LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.learner import ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.utils.torch_utils import explained_variance
from ray.rllib.utils.typing import TensorType
from torch import Tensor

from trainer.algorithms.batches import Rows, RowsToBatch
from trainer.algorithms.ppo import PPOLearner
from trainer.algorithms.replay import Ring
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule
from trainer.sampling.few_calls import FewCalls
from trainer.sampling.layouts import SEARCHED

MODULE = SeatModule


class AlphaZeroLearner(PPOLearner):
    """Cross-entropy to the searched policy, and squared errors to the results (Silver et al. 2018, equation 1)."""

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        params = list(self.get_parameters(self.module[module_id]))
        adam = torch.optim.AdamW(params, fused=True, weight_decay=config.learner_config_dict["weight_decay"])
        self.register_optimizer(module_id=module_id, optimizer=adam, params=params, lr_or_lr_schedule=config.lr)

    def forget(self, module_id: str) -> None:
        """Earlier decisions are dropped, too."""
        super().forget(module_id)
        pipeline: Any = self._learner_connector
        for piece in pipeline.connectors:
            if isinstance(piece, NewestRows):
                piece.forget(module_id)

    def prepare(self, learnt: dict[str, Mapping[str, Tensor]]) -> None:
        """All gradients by torch's autograd."""

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        module: Any = self.module[module_id].unwrapped()
        logps = torch.log_softmax(fwd_out[Columns.ACTION_DIST_INPUTS], dim=-1)
        policy, targets = batch[SEARCHED], batch[Postprocessing.VALUE_TARGETS]
        values = module.compute_values(batch, embeddings=fwd_out.get(Columns.EMBEDDINGS))
        losses = {
            POLICY_LOSS_KEY: -(policy * logps).sum(-1).mean(),
            VF_LOSS_KEY: torch.pow(values - targets, 2.0).mean(),
        }
        self._newest[module_id] = losses | {"logps": logps, "values": values, "targets": targets}
        loss: Tensor = losses[POLICY_LOSS_KEY] + config.vf_loss_coeff * losses[VF_LOSS_KEY]
        return loss

    @torch.no_grad()
    def metrics_of(self, terms: dict[str, Tensor]) -> dict[str, Tensor]:
        explained: Any = explained_variance(terms["targets"], terms["values"])
        entropy = -(terms["logps"].exp() * terms["logps"].clamp(min=-1e4)).sum(-1).mean()
        losses = {name: terms[name] for name in (POLICY_LOSS_KEY, VF_LOSS_KEY)}
        return losses | {ENTROPY_KEY: entropy, LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY: explained}


class NewestRows(RowsToBatch):
    """Draws `count` of the newest `capacity` decisions of a policy whenever it has new ones."""

    def __init__(self, *, capacity: int, count: int, seed: int) -> None:
        super().__init__()
        self._capacity, self._count = capacity, count
        self._rng = np.random.default_rng(seed)
        self._rings: dict[str, Ring] = {}

    def draw(self, policy: str, rows: Rows) -> Rows:
        ring = self._rings.setdefault(policy, Ring(self._capacity))
        ring.add(rows)
        return ring.sample(self._count, self._rng)

    def forget(self, policy: str) -> None:
        """Drop the decisions of a policy."""
        self._rings.pop(policy, None)


def make_config(run: RunConfig) -> PPOConfig:
    """The algorithm's own settings of RLlib."""
    training: Any = run.training
    learners = max(1, run.resources.learners)
    minibatch = max(1, training.minibatch // learners)

    def connector(*_: Any) -> NewestRows:
        return NewestRows(capacity=training.capacity, count=minibatch * training.updates, seed=run.seed)

    return (
        PPOConfig(algo_class=FewCalls)
        .learners(
            learner_class=AlphaZeroLearner, learner_connector=connector,
            learner_config_dict={"weight_decay": training.weight_decay},
        )
        .training(
            lr=training.lr, gamma=training.gamma, vf_loss_coeff=training.value_loss, entropy_coeff=0.0,
            use_kl_loss=False, kl_coeff=0.0, grad_clip=training.grad_clip, grad_clip_by="global_norm", num_epochs=1,
            minibatch_size=minibatch, shuffle_batch_per_epoch=False,
            train_batch_size_per_learner=max(1, training.batch // learners),
        )
    )  # fmt: skip
