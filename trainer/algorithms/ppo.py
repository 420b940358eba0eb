"""PPO by RLlib's own algorithm, with a faster learner; runners compute the advantages (`sampling.layouts`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.ppo import (
    LEARNER_RESULTS_KL_KEY,
    LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY,
    LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY,
)
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.learner.learner import DEFAULT_OPTIMIZER, ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.utils.torch_utils import explained_variance
from ray.rllib.utils.typing import TensorType
from torch import Tensor
from torch.nn.utils import clip_grads_with_norm_, get_total_norm

from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.kl_penalty import PenalisedLearner, penalty_settings
from trainer.algorithms.several_learners import SeveralLearners
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule


class PPOLearner(PenalisedLearner, SeveralLearners, PPOTorchLearner):
    """RLlib's PPO learner for any number of learners, each of which normalises the advantages of its share.

    It makes the same updates in about two thirds of the time: RLlib logs the metrics of every minibatch although only
    the last ones are kept, clips and checks gradients tensor by tensor, and makes two distributions instead of one.
    """

    def build(self) -> None:
        self._newest: dict[str, dict[str, Tensor]] = {}  # module id to the terms of its newest minibatch
        self._norms: dict[str, Tensor] = {}  # module id to the norm of its newest gradient, where it is finite
        super().build()

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        params = list(self.get_parameters(self.module[module_id]))
        adam = torch.optim.Adam(params, fused=True)
        self.register_optimizer(module_id=module_id, optimizer=adam, params=params, lr_or_lr_schedule=config.lr)

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        module: Any = self.module[module_id].unwrapped()
        kind = module.get_train_action_dist_cls()
        logp, entropy = _evaluate(kind, fwd_out[Columns.ACTION_DIST_INPUTS], batch[Columns.ACTIONS])
        log_ratio, advantages = logp - batch[Columns.ACTION_LOGP], batch[Postprocessing.ADVANTAGES]
        ratio = torch.exp(log_ratio)
        clipped = ratio.clamp(1 - config.clip_param, 1 + config.clip_param)
        surrogate = torch.min(advantages * ratio, advantages * clipped)
        values = module.compute_values(batch, embeddings=fwd_out.get(Columns.EMBEDDINGS))
        squares = torch.pow(values - batch[Postprocessing.VALUE_TARGETS], 2.0)
        value_loss = squares.clamp(max=config.vf_clip_param)
        mask = batch.get(Columns.LOSS_MASK)
        entropy_coeff = self.entropy_coeff_schedulers_per_module[module_id].get_current_value()
        self._newest[module_id] = {
            "surrogate": surrogate, "entropy": entropy, "log_ratio": log_ratio, "value_loss": value_loss,
            "squares": squares, "values": values, "targets": batch[Postprocessing.VALUE_TARGETS],
        } | ({} if mask is None else {"mask": mask})  # fmt: skip
        loss = _mean(-surrogate + config.vf_loss_coeff * value_loss - entropy_coeff * entropy, mask)
        return loss + self.penalty(module_id, batch, fwd_out[Columns.ACTION_DIST_INPUTS])

    def postprocess_gradients_for_module(
        self, *, module_id: str, config: Any = None, module_gradients_dict: dict[Any, Tensor]
    ) -> dict[Any, Tensor]:
        """Clip by one norm of all tensors, which also shows whether they are finite; if not, RLlib handles them."""
        self._norms.pop(module_id, None)
        norm = get_total_norm(list(module_gradients_dict.values()))
        if norm.isfinite():
            self._norms[module_id] = norm
            clip_grads_with_norm_(list(module_gradients_dict), config.grad_clip, norm)
            return module_gradients_dict
        return super().postprocess_gradients_for_module(
            module_id=module_id, config=config, module_gradients_dict=module_gradients_dict
        )

    def apply_gradients(self, gradients_dict: dict[Any, Tensor]) -> None:
        if not all(module_id in self._norms for module_id in self.module.keys()):  # noqa: SIM118
            super().apply_gradients(gradients_dict)
            return
        for module_id in self._norms:
            self.get_optimizer(module_id).step()

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        for module_id, terms in self._newest.items():
            self.metrics.log_dict(self.metrics_of(terms), key=module_id, window=1)
        for module_id, norm in self._norms.items():
            self.metrics.log_value((module_id, f"gradients_{DEFAULT_OPTIMIZER}_global_norm"), norm, window=1)
        self._newest, self._norms = {}, {}
        super().after_gradient_based_update(timesteps=timesteps)

    def metrics_of(self, terms: dict[str, Tensor]) -> dict[str, Tensor]:
        """The metrics of a module's newest minibatch."""
        return _metrics(terms)


def _evaluate(kind: Any, inputs: Tensor, actions: Tensor) -> Sequence[Tensor]:
    """Log probabilities of `actions`, and entropies."""
    if kind is not TorchCategorical:
        distribution = kind.from_logits(inputs)
        return distribution.logp(actions), distribution.entropy()
    logps = inputs - inputs.logsumexp(-1, keepdim=True)
    chosen = logps.gather(-1, actions.long().unsqueeze(-1)).squeeze(-1)
    finite = logps.clamp(min=torch.finfo(logps.dtype).min)  # 0 x -inf of an illegal action is no number
    return chosen, -(logps.exp() * finite).sum(-1)


def _mean(terms: Tensor, mask: Tensor | None) -> Tensor:
    return terms.mean() if mask is None else terms[mask].sum() / mask.sum()


def _metrics(terms: dict[str, Tensor]) -> dict[str, Tensor]:
    """RLlib's own metrics of a minibatch; the divergence is estimated (Schulman 2020, Approximating KL Divergence)."""
    with torch.no_grad():
        mask, log_ratio = terms.get("mask"), terms["log_ratio"]
        explained: Any = explained_variance(terms["targets"], terms["values"])
        return {
            POLICY_LOSS_KEY: -_mean(terms["surrogate"], mask),
            VF_LOSS_KEY: _mean(terms["value_loss"], mask),
            LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY: _mean(terms["squares"], mask),
            LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY: explained,
            ENTROPY_KEY: _mean(terms["entropy"], mask),
            LEARNER_RESULTS_KL_KEY: _mean(log_ratio.exp() - 1 - log_ratio, mask),
        }


def make_config(run: RunConfig) -> PPOConfig:
    """The algorithm's own settings of RLlib."""
    ppo: Any = run.training
    decisions = ppo.minibatch // max(1, run.resources.learners)
    minibatch = decisions // run.network.sequence if run.network.lstm else decisions  # sequences at their longest
    config = PPOConfig().learners(
        learner_class=PPOLearner, learner_connector=lambda *_: RowsToBatch(piece=1, normalise=True),
        learner_config_dict=penalty_settings(run),
    )  # fmt: skip
    return config.training(
        **actor_critic_settings(run), clip_param=ppo.clip, num_epochs=ppo.epochs, minibatch_size=max(1, minibatch),
        shuffle_batch_per_epoch=True,
    )  # fmt: skip


def actor_critic_settings(run: RunConfig) -> dict[str, Any]:
    """RLlib's `training` settings of PPO and A2C."""
    training: Any = run.training
    return {
        "lr": training.lr, "gamma": training.gamma, "lambda_": training.lambda_, "entropy_coeff": training.entropy,
        "vf_loss_coeff": training.value_loss, "vf_clip_param": float("inf"), "use_kl_loss": False, "kl_coeff": 0.0,
        "grad_clip": training.grad_clip, "grad_clip_by": "global_norm",
        "train_batch_size_per_learner": max(1, training.batch // max(1, run.resources.learners)),
    }  # fmt: skip
