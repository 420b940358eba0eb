"""The RLlib algorithm of a run: PPO on the new API stack with our runner and a learner connector of one piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from arcade.games.spec import GameSpec
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule
from trainer.sampling.lanes import Decisions
from trainer.sampling.runner import SelfPlayRunner


class DecisionsToBatch(ConnectorV2):
    """What the runners returned becomes the learner's batch: shuffled once, advantages of mean 0 and deviation 1."""

    def __call__(self, *, rl_module: Any, batch: Any, episodes: Sequence[Decisions], **kwargs: Any) -> Any:
        names = episodes[0].columns.keys()
        rows = {name: np.concatenate([e.columns[name] for e in episodes]) for name in names}
        advantages = rows["advantages"]
        rows["advantages"] = (advantages - advantages.mean()) / max(1e-4, float(advantages.std()))
        order = np.random.permutation(len(advantages))
        return {DEFAULT_MODULE_ID: {name: torch.from_numpy(column[order]) for name, column in rows.items()}}


def make_algorithm(run: RunConfig, spec: GameSpec, observation_space: Any, action_space: Any) -> PPO:
    """Build the algorithm; ray must be initialised."""
    return make_ppo_config(run, spec, observation_space, action_space).build_algo()


def make_ppo_config(run: RunConfig, spec: GameSpec, observation_space: Any, action_space: Any) -> PPOConfig:
    """The run's settings in RLlib's words; only public hooks, no training step or learner of our own."""
    ppo = run.ppo
    return (
        PPOConfig()
        .environment(
            observation_space=observation_space,
            action_space=action_space,
            env_config={"spec": spec, "run": run.model_dump()},
        )
        .framework("torch")
        .debugging(seed=run.seed, log_level="ERROR")
        .env_runners(
            env_runner_cls=SelfPlayRunner,
            num_env_runners=run.sampling.runners,
            create_local_env_runner=True,
            merge_env_runner_states=False,
            broadcast_env_runner_states=False,
        )
        .learners(
            num_learners=0,
            learner_connector=lambda *_: DecisionsToBatch(),
            add_default_connectors_to_learner_pipeline=False,
        )
        .rl_module(rl_module_spec=RLModuleSpec(module_class=SeatModule, model_config={"hidden": list(ppo.hidden)}))
        .training(
            lr=ppo.lr, gamma=ppo.gamma, lambda_=ppo.lambda_, clip_param=ppo.clip, entropy_coeff=ppo.entropy,
            vf_loss_coeff=ppo.value_loss, vf_clip_param=float("inf"), use_kl_loss=False, kl_coeff=0.0,
            grad_clip=ppo.grad_clip, grad_clip_by="global_norm", num_epochs=ppo.epochs,
            minibatch_size=ppo.minibatch, train_batch_size_per_learner=ppo.batch, shuffle_batch_per_epoch=True,
        )
    )  # fmt: skip
