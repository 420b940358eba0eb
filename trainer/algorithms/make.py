"""RLlib's AlgorithmConfig of a run: new API stack, our runner, one learner connector, restarts of lost runners."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME

from agents.errors import UserError
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.vector_env import VectorEnv
from trainer.algorithms.several_learners import DDP_SETTINGS
from trainer.config import RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.networks.modules import CRITIC, ENCODER, CriticModule, EncoderModule, SeatMultiModule
from trainer.sampling.central_state import feature_count, is_central
from trainer.sampling.plan import PolicyPlan, make_plan
from trainer.sampling.runner import OverlappedRunner, SelfPlayRunner
from trainer.sampling.starts import read_starts

FAILURES = 3
"""Runners that may be lost in a row, with no fragment sampled in between."""

PROBE_SECONDS = 1.0
"""Seconds that an iteration waits for a runner that restarts."""


def make_algorithm(run: RunConfig, spec: GameSpec) -> Algorithm:
    """Build the algorithm; ray must be initialised.  Raises ConfigError, GameError or StageError."""
    with make_vector_env(spec, 1) as env:
        config = make_algorithm_config(run, spec, env)
    return config.build_algo()


def make_algorithm_config(run: RunConfig, spec: GameSpec, batch: VectorEnv) -> AlgorithmConfig:
    """RLlib's configuration of the run, by public hooks alone; `batch` has the game's spaces."""
    own = ALGORITHMS[run.algorithm].load()
    plan, resources = make_plan(run.policies, batch, league=run.opponents.league), run.resources
    first = plan.policies[0]
    config = _replace_lost_runners(own.make_config(run), run)
    # Asynchronous algorithms overlap already: they ask for the next fragment before learning from the last.
    overlaps = resources.overlap and not ALGORITHMS[run.algorithm].asynchronous
    return (
        config.environment(
            observation_space=first.observation_space, action_space=first.action_space,
            env_config={
                "spec": spec, "run": run.model_dump(mode="json"),
                "starts": read_starts(run.start_from_recordings, spec),
            },
        )
        .framework("torch", torch_ddp_kwargs=DDP_SETTINGS)
        .debugging(seed=run.seed, log_level="ERROR")
        .env_runners(
            env_runner_cls=OverlappedRunner if overlaps else SelfPlayRunner,
            num_env_runners=resources.runners,
            num_cpus_per_env_runner=resources.cpus_per_runner,  # type: ignore[arg-type]  # ray accepts fractions
            create_local_env_runner=True, merge_env_runner_states=False, broadcast_env_runner_states=False,
        )
        .learners(
            num_learners=resources.learners, num_cpus_per_learner=resources.cpus_per_learner,
            num_gpus_per_learner=resources.gpus_per_learner, add_default_connectors_to_learner_pipeline=False,
        )
        .multi_agent(
            policies=[policy.id for policy in plan.policies],  # initial weights depend on their order
            policy_mapping_fn=lambda agent, *_, **__: plan.policy_of[agent],
            policies_to_train=[policy.id for policy in plan.policies if policy.id in plan.trained],
        )
        .rl_module(rl_module_spec=_module_spec(run, batch, plan, own.MODULE))
    )  # fmt: skip


def _module_spec(run: RunConfig, batch: VectorEnv, plan: PolicyPlan, module_class: Any) -> MultiRLModuleSpec:
    settings = {"run": run.model_dump(mode="json")}
    action = plan.policies[0].action_space  # of shared modules too: RLlib requires one
    specs: dict[str, RLModuleSpec] = {}
    for policy in plan.policies:
        encoder = f"{ENCODER}_{policy.group}" if run.policies.shared_encoder else ""
        if encoder and encoder not in specs:
            specs[encoder] = _spec(EncoderModule, policy.observation_space, action, settings)
        own = settings | ({"encoder": encoder} if encoder else {})
        specs[policy.id] = _spec(module_class, policy.observation_space, policy.action_space, own)
    if is_central(run):
        features, agents = feature_count(run, batch), len(batch.agents)
        state = spaces.Box(-np.inf, np.inf, (features + agents,), np.float32)  # and a flag for each that lives
        specs[CRITIC] = _spec(CriticModule, state, action, settings | {"agents": agents})
    return MultiRLModuleSpec(multi_rl_module_class=SeatMultiModule, rl_module_specs=specs)


def _spec(module_class: Any, observation_space: Any, action_space: Any, settings: dict[str, Any]) -> RLModuleSpec:
    return RLModuleSpec(
        module_class=module_class, observation_space=observation_space, action_space=action_space, model_config=settings
    )  # fmt: skip


class RunnerError(UserError):
    """The remote runners keep failing."""


class Replacements(RLlibCallback):
    """Equips a new runner like the lost one; the driver's own runner has the same equipment."""

    def __init__(self) -> None:
        self._steps, self._in_a_row = -1, 0

    def on_env_runners_recreated(
        self, *, algorithm: Any, env_runner_group: Any, env_runner_indices: list[int], **_: Any
    ) -> None:
        steps = algorithm.metrics.peek((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME), default=0)
        self._in_a_row = self._in_a_row + 1 if steps == self._steps else 1
        self._steps = steps
        if self._in_a_row > FAILURES:
            raise RunnerError(
                f"expected remote runners to play, got {FAILURES} lost ones in a row; resources.runners = 0 plays "
                "in the trainer's own process and shows why"
            )
        equipment = algorithm.env_runner.equipment()
        env_runner_group.foreach_env_runner(
            lambda runner: runner.equip(equipment), remote_worker_ids=env_runner_indices, local_env_runner=False
        )


def _replace_lost_runners(config: AlgorithmConfig, run: RunConfig) -> AlgorithmConfig:
    """Restart lost runners; an iteration continues until it has its env steps."""
    return (
        config.fault_tolerance(
            restart_failed_env_runners=True, delay_between_env_runner_restarts_s=0.0,
            env_runner_health_probe_timeout_s=PROBE_SECONDS,
        )
        .callbacks(Replacements)
        .reporting(min_time_s_per_iteration=0, min_sample_timesteps_per_iteration=run.training.batch)
    )  # fmt: skip
