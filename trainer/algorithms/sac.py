"""SAC by RLlib's own algorithm and losses, for boxes with bounds and for Discrete actions, with masks."""

from __future__ import annotations

import math
from typing import Any

import torch
from ray.rllib.algorithms.sac import SAC, SACConfig
from ray.rllib.algorithms.sac.torch.sac_torch_learner import SACTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.learner import POLICY_LOSS_KEY
from ray.rllib.utils.typing import TensorType
from torch import Tensor

from trainer.algorithms.kl_penalty import PenalisedLearner
from trainer.algorithms.replay import ReplayAlgorithm, ReplayLearner, with_replay
from trainer.algorithms.schedules import step_size
from trainer.config import RunConfig
from trainer.networks.modules import ACTION_MASK
from trainer.networks.replay_modules import CRITICS, SoftModule

MODULE = SoftModule


class ReplaySAC(ReplayAlgorithm, SAC):
    pass


class ReplaySACLearner(PenalisedLearner, ReplayLearner, SACTorchLearner):  # type: ignore[misc]  # RLlib's own bases differ
    """Saves the temperature in checkpoints, and sets a target entropy that the legal actions allow."""

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        module: Any = self.module[module_id]
        parts = {name: (getattr(module, name), config.critic_lr) for name in CRITICS}
        for name, (network, lr) in (parts | {"policy": (module.network, config.actor_lr)}).items():
            self._register(module_id, name, list(network.parameters()), lr)
        self._register(module_id, "alpha", [self.curr_log_alpha[module_id]], config.alpha_lr)

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        module: Any = self.module[module_id].unwrapped()
        if not module.is_box:
            self.target_entropy[module_id] = target_entropy(
                batch.get(ACTION_MASK), int(module.action_space.n), module.entropy_share
            ).to(self._device)
        loss = super().compute_loss_for_module(module_id=module_id, config=config, batch=batch, fwd_out=fwd_out)
        penalty = self.penalty(module_id, batch, fwd_out[Columns.ACTION_DIST_INPUTS])
        parts: dict[Any, Any] = self._temp_losses  # RLlib's gradients are of these
        parts[module_id, POLICY_LOSS_KEY] = parts[module_id, POLICY_LOSS_KEY] + penalty
        return loss + penalty

    def get_state(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        tensors: dict[str, Any] = self.curr_log_alpha
        alphas = {id: log_alpha.detach().cpu().numpy() for id, log_alpha in tensors.items()}
        return super().get_state(*args, **kwargs) | {"log_alpha": alphas}

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        tensors: dict[str, Any] = self.curr_log_alpha
        with torch.no_grad():
            for id, log_alpha in state.get("log_alpha", {}).items():
                tensors[id].copy_(torch.as_tensor(log_alpha))

    def forget(self, module_id: str) -> None:
        """The temperature begins anew, too."""
        super().forget(module_id)
        tensors: dict[str, Any] = self.curr_log_alpha
        config: Any = self.config
        with torch.no_grad():
            tensors[module_id].fill_(math.log(config.initial_alpha))

    def _register(self, module_id: str, name: str, params: list[Any], lr: Any) -> None:
        adam = torch.optim.Adam(params, eps=self.config.learner_config_dict["adam_epsilon"])
        self.register_optimizer(
            module_id=module_id, optimizer_name=name, optimizer=adam, params=params, lr_or_lr_schedule=lr
        )


def target_entropy(masks: Tensor | None, actions: int, share: float) -> Tensor:
    """A share of the highest entropy, log n (Christodoulou 2019, section 4.1), for the n legal actions of each row.

    RLlib's loss of the temperature is linear in it, so that the mean over rows has the same gradient.
    """
    if masks is None:
        return share * torch.log(torch.tensor(float(actions)))
    return share * torch.log((masks > 0).sum(dim=1).clamp(min=1).to(torch.float32)).mean()


def make_config(run: RunConfig) -> SACConfig:
    """The algorithm's own settings of RLlib."""
    sac: Any = run.training
    lr: Any = step_size(run)
    return with_replay(SACConfig(algo_class=ReplaySAC), run, ReplaySACLearner).training(
        lr=None, actor_lr=lr, critic_lr=lr, alpha_lr=lr, twin_q=True, initial_alpha=sac.initial_alpha,
        target_entropy="auto",
    )  # fmt: skip
