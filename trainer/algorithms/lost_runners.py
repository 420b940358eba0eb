"""Lost remote runners: Ray starts replacements, RLlib sends them weights, and this module the rest."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME

from agents.errors import UserError
from trainer.config import RunConfig

FAILURES = 3
"""The most losses in a row without a fragment between them."""

PROBE_SECONDS = 1.0
"""Seconds that an iteration waits for a runner that restarts."""


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


def replace_lost_runners(config: AlgorithmConfig, run: RunConfig) -> AlgorithmConfig:
    """Restart lost runners; an iteration continues until it has its env steps."""
    return (
        config.fault_tolerance(
            restart_failed_env_runners=True, delay_between_env_runner_restarts_s=0.0,
            env_runner_health_probe_timeout_s=PROBE_SECONDS,
        )
        .callbacks(Replacements)
        .reporting(min_time_s_per_iteration=0, min_sample_timesteps_per_iteration=run.training.batch)
    )  # fmt: skip
