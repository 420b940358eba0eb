"""RLlib's learner of behaviour cloning and MARWIL, with a critic either way and weights that decay."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.marwil.torch.marwil_torch_learner import MARWILTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.utils.typing import TensorType


class ImitationLearner(MARWILTorchLearner):
    """The losses are RLlib's own.  Behaviour cloning has no critic there; here it learns what the play imitated earns,
    so that a snapshot tells a value that means something, and self-play can go on from it."""

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        params = list(self.get_parameters(self.module[module_id]))
        decaying = [param for param in params if param.ndim > 1]
        rest = [param for param in params if param.ndim <= 1]
        groups = [{"params": decaying, "weight_decay": config.learner_config_dict["weight_decay"]}]
        adam = torch.optim.AdamW([*groups, {"params": rest, "weight_decay": 0.0}])
        self.register_optimizer(module_id=module_id, optimizer=adam, params=params, lr_or_lr_schedule=config.lr)

    def compute_loss_for_module(
        self, *, module_id: str, config: Any = None, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        loss: Any = super().compute_loss_for_module(module_id=module_id, config=config, batch=batch, fwd_out=fwd_out)
        if config.beta or not config.vf_coeff:
            return loss
        module: Any = self.module[module_id].unwrapped()
        values = module.compute_values(batch, embeddings=fwd_out.get(Columns.EMBEDDINGS))
        squares = torch.pow(values - batch[Postprocessing.VALUE_TARGETS], 2.0)
        mask = batch.get(Columns.LOSS_MASK)
        return loss + config.vf_coeff * 0.5 * (squares.mean() if mask is None else squares[mask].mean())
