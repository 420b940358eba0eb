"""The other side of the benchmarks: self-play as RLlib 2.60 itself offers it, at its best setting on two cores.

PPO on the new API stack, RLlib's own PettingZoo wrappers, its MultiAgentEnvRunner and learner; opponents are frozen
modules of the MultiRLModule, seated by episode, as in RLlib's example self_play_with_open_spiel.  The network has our
own layers: a trunk for the policy, one for the value, illegal actions masked as in RLlib's example action_masking_rlm.

Settings tried, env steps a second end to end (and of sampling alone), batch 2,048, minibatch 256, 4 epochs; one frozen
opponent, which is stock's best case: four cost it up to a tenth.  Other programs were running during the later columns,
so figures compare within a column at most, and remote runners, whom ray gives a low priority, come off worst.

| runners x envs | connect_four | simple_tag | volley |
| --- | --- | --- | --- |
| local x 1 | 523 (503) | 349 (349) | 692 (755) |
| local x 16 | 1,485 (2,048) | 607 (973) | 2,127 (2,357) |
| local x 64 | 2,813 (3,460) | 556 (797) | 2,172 (2,851) |
| local x 256 | 2,574 (3,501) | | |
| 1 remote x 64 | 2,824 (3,213) | | |
| 2 remote x 16 | 2,092 (4,102) | 693 (842) | 754 (1,003) |
| 2 remote x 64 | 3,024 (2,979) | 1,163 (2,210) | 1,745 (2,300) |
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv, PettingZooEnv
from ray.tune.registry import register_env
from torch import Tensor

from agents.seats.controller import AgentID
from arcade.games import find_game
from arcade.games.spec import GameSpec
from trainer.config.algorithms.ppo import PPOSettings
from trainer.networks.encoders import Trunk
from trainer.networks.seat import ILLEGAL

MAIN = "main"
FROZEN = "frozen"
HIDDEN = (64, 64)


class StockModule(TorchRLModule, ValueFunctionAPI):
    """Observations are arrays, or dicts of `observation` and `action_mask`, as PettingZoo has them."""

    def setup(self) -> None:
        super().setup()
        space = self.observation_space
        self.masked = isinstance(space, spaces.Dict)
        features = int(np.prod((space["observation"] if self.masked else space).shape))
        self.pi = Trunk(features, HIDDEN, int(self.action_space.n), last_gain=0.01)
        self.vf = Trunk(features, HIDDEN, 1, last_gain=1.0)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        logits = self.pi(self._features(batch))
        if self.masked:
            legal = batch[Columns.OBS]["action_mask"] > 0
            logits = torch.where(legal, logits, torch.full_like(logits, ILLEGAL))
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        values: Tensor = self.vf(self._features(batch)).squeeze(-1)
        return values

    def _features(self, batch: dict[str, Any]) -> Tensor:
        seen = batch[Columns.OBS]["observation"] if self.masked else batch[Columns.OBS]
        features: Tensor = seen.to(torch.float32).flatten(1)
        return features


def make_stock(
    game: str, ppo: PPOSettings, *, roles: bool, runners: int, envs: int, seed: int
) -> Algorithm:  # fmt: skip
    """With `roles` each team is a policy and all learn; else one policy learns against a frozen one, on either side."""
    spec = find_game(game)
    probe = _make_env({"game": game})
    policy_of = policies_of(spec, roles=roles)
    spaces_of = {policy_of[a]: (probe.observation_space[a], probe.action_space[a]) for a in spec.agents}
    probe.close()
    trained = list(spaces_of)
    if not roles:
        spaces_of[FROZEN] = spaces_of[MAIN]
    register_env("stock", _make_env)
    config = (
        PPOConfig()
        .environment("stock", env_config={"game": game}, disable_env_checking=True)
        .framework("torch")
        .debugging(seed=seed, log_level="ERROR")
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=envs)
        .multi_agent(
            policies=set(spaces_of),
            policy_mapping_fn=_by_seat(policy_of) if roles else _against_frozen(spec),
            policies_to_train=trained,
        )
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={name: RLModuleSpec(StockModule, *own) for name, own in spaces_of.items()}
            )
        )
        .training(
            lr=ppo.lr, gamma=ppo.gamma, lambda_=ppo.lambda_, clip_param=ppo.clip, entropy_coeff=ppo.entropy,
            vf_loss_coeff=ppo.value_loss, vf_clip_param=float("inf"), use_kl_loss=False, kl_coeff=0.0,
            grad_clip=ppo.grad_clip, grad_clip_by="global_norm", num_epochs=ppo.epochs,
            minibatch_size=ppo.minibatch, train_batch_size_per_learner=ppo.batch, shuffle_batch_per_epoch=True,
        )
    )  # fmt: skip
    return config.build_algo()


def policies_of(spec: GameSpec, *, roles: bool) -> dict[AgentID, str]:
    """Agent to the policy that learns its seat."""
    return {agent: f"team_{spec.team_of(agent)}" if roles else MAIN for agent in spec.agents}


def _make_env(settings: dict[str, Any]) -> Any:
    env = find_game(settings["game"]).make()
    return PettingZooEnv(env) if hasattr(env, "agent_iter") else ParallelPettingZooEnv(env)


def _by_seat(policy_of: dict[AgentID, str]) -> Any:
    return lambda agent, episode, **kwargs: policy_of[agent]


def _against_frozen(spec: GameSpec) -> Any:
    """The episode's id says on which side the learning policy sits."""
    teams = {agent: spec.team_of(agent) for agent in spec.agents}
    count = len(spec.teams)
    return lambda agent, episode, **kwargs: MAIN if hash(episode.id_) % count == teams[agent] else FROZEN
