"""ScaledVTraceLearner: IMPALA's and APPO's critics learn values of mean 0 and deviation 1.

This is PopArt-IMPALA (Hessel et al. 2018, "Multi-task deep reinforcement learning with PopArt", arXiv 1809.04474,
section 3).  V-trace is linear in rewards and values, so that its targets and advantages are normalised where both are.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.training_data import TrainingData
from torch import Tensor, nn

from trainer.algorithms.value_moments import Scale, ValueMoments, sums_of
from trainer.algorithms.value_scale import normalised_outputs
from trainer.networks.modules import SeatModule


class ScaledVTraceLearner(ValueMoments):
    """Mixed into a learner of V-trace batches; learner_config_dict has `scale_values`.

    Critics have values in the unit of rewards but for the time of a gradient step, which `get_state` waits for, since
    the steps are made by another thread.
    """

    def build(self) -> None:
        self._scales: dict[nn.Linear, Scale] = {}
        self._step_lock = threading.RLock()
        super().build()

    def whole_batch(self, data: TrainingData) -> Any:
        batch = super().whole_batch(data)
        self._scales = {}
        if self.config.learner_config_dict.get("scale_values"):
            for id in sorted(filter(self.should_module_be_updated, self.module.keys())):
                self._scale(id, batch.policy_batches.get(id))
        return batch

    def _scale(self, id: str, rows: Any) -> None:
        """Move the moments of a policy's critic, and normalise its rewards."""
        module: Any = self.module[id].unwrapped()
        if not isinstance(module, SeatModule):  # a shared encoder
            return
        config: Any = self.config
        gamma, length = config.gamma, config.get_rollout_fragment_length()
        sums = self.no_sums()
        if rows is not None:
            with torch.no_grad():
                values = module.compute_values(rows)
            targets = targets_on_policy(rows, values, gamma=gamma, length=length)
            sums = sums_of(targets[rows[Columns.LOSS_MASK]])
        scale = self.move(id, sums)
        if rows is not None:
            rows[Columns.REWARDS] = normalised_rewards(rows, scale, gamma=gamma)
        network: Any = module.network
        self._scales[network.vf.layers[-1]] = scale

    def _update(self, *args: Any, **kwargs: Any) -> Any:
        with self._step_lock, normalised_outputs(self._scales):
            return super()._update(*args, **kwargs)

    def get_state(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        with self._step_lock:
            return super().get_state(*args, **kwargs)


def targets_on_policy(rows: Mapping[str, Tensor], values: Tensor, *, gamma: float, length: int) -> Tensor:
    """V-trace's targets (M,) of the policy that played (Espeholt et al. 2018, arXiv 1802.01561, eq. 2).

    Rows are in the layout of `sequence_columns`, the last of each piece without a target; `values` are (M,).
    """
    rewards, ended, decided, valued = (
        column.reshape(-1, length).T
        for column in (rows[Columns.REWARDS], rows[Columns.TERMINATEDS], rows[Columns.LOSS_MASK], values)
    )
    targets = valued.clone()
    for step in reversed(range(length - 1)):
        following = torch.where(decided[step + 1], targets[step + 1], valued[step + 1])
        targets[step] = rewards[step] + gamma * torch.where(ended[step], 0.0, following)
    return targets.T.reshape(-1)


def normalised_rewards(rows: Mapping[str, Tensor], scale: Scale, *, gamma: float) -> Tensor:
    """Rewards (M,) by which V-trace of normalised values is the normalised V-trace."""
    followed = gamma * (~rows[Columns.TERMINATEDS]).to(torch.float32)
    return (rows[Columns.REWARDS] - scale.mean * (1 - followed)) / scale.deviation
