"""Linear schedules of step sizes and entropy coefficients, in RLlib's form; settings that several algorithms share."""

from __future__ import annotations

from typing import Any

from trainer.algorithms.kl_penalty import penalty_settings
from trainer.config import RunConfig

Schedule = float | list[list[float]]
"""A constant, or pairs of env steps and the value there, with straight lines between them."""


def falling(value: float, end: float, steps: int) -> Schedule:
    """From `value` to the share `end` of it over `steps` env steps; constant for a share of 1."""
    return value if end == 1 else [[0, value], [steps, value * end]]


def step_size(run: RunConfig) -> Schedule:
    """The step size of any algorithm that learns by Adam."""
    training: Any = run.training
    return falling(training.lr, training.lr_end, run.schedule_steps)


def actor_critic_schedules(run: RunConfig) -> dict[str, Any]:
    """`lr` and `entropy_coeff` for RLlib's `training`."""
    training: Any = run.training
    return {
        "lr": step_size(run),
        "entropy_coeff": falling(training.entropy, training.entropy_end, run.schedule_steps),
    }


def learner_settings(run: RunConfig) -> dict[str, Any]:
    """The learner_config_dict of an algorithm that learns by Adam."""
    training: Any = run.training
    own = {
        "adam_epsilon": training.adam_epsilon, "kl_stop": getattr(training, "kl_stop", 0.0),
        "scale_values": getattr(training, "scale_values", False),
    }  # fmt: skip
    return penalty_settings(run) | own
