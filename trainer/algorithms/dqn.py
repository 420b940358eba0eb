"""DQN by RLlib's own algorithm and loss: double, duelling, n-step, uniform replay; actions are Discrete, with masks."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.dqn import DQN, DQNConfig
from ray.rllib.algorithms.dqn.dqn_learner import QF_PREDS
from ray.rllib.algorithms.dqn.torch.dqn_torch_learner import DQNTorchLearner
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED_LIFETIME
from ray.rllib.utils.typing import TensorType

from trainer.algorithms.kl_penalty import PenalisedLearner
from trainer.algorithms.replay import ReplayAlgorithm, ReplayLearner, with_replay
from trainer.algorithms.schedules import step_size
from trainer.config import RunConfig
from trainer.networks.replay_modules import QModule

MODULE = QModule


class ReplayDQN(ReplayAlgorithm, DQN):
    pass


class ReplayDQNLearner(PenalisedLearner, ReplayLearner, DQNTorchLearner):
    """Anneals the exploration of the runners by the env steps of all of them, also over a resume.

    The KL penalty, of the policy softmax(Q / kl_temperature), is a supervised loss beside the temporal differences, as
    that of demonstrations is in DQfD (Hester et al. 2018, arXiv 1704.03732, eq. 2).
    """

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        loss = super().compute_loss_for_module(module_id=module_id, config=config, batch=batch, fwd_out=fwd_out)
        return loss + self.penalty(module_id, batch, fwd_out[QF_PREDS])

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        super().after_gradient_based_update(timesteps=timesteps)
        modules: Any = self.module
        for module in modules.values():
            module.unwrapped().anneal(timesteps.get(NUM_ENV_STEPS_SAMPLED_LIFETIME, 0))


def make_config(run: RunConfig) -> DQNConfig:
    """The algorithm's own settings of RLlib."""
    return with_replay(DQNConfig(algo_class=ReplayDQN), run, ReplayDQNLearner).training(
        lr=step_size(run), double_q=True, dueling=True, num_atoms=1, td_error_loss_fn="huber"
    )
