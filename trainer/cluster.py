"""Ray around a run: quiet, small, and gone with it."""

from __future__ import annotations

import logging
import os
import warnings

from trainer.config import RunConfig


def start_ray(config: RunConfig) -> None:
    """Start the run's own cluster, or join the one that RAY_ADDRESS names."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_TRAIN_ENABLE_V2_MIGRATION_WARNINGS", "0")
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=FutureWarning)
    import ray
    import torch

    torch.set_num_threads(config.threads)
    logging.getLogger("ray").setLevel(logging.ERROR)
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    own = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": max(2, config.sampling.runners + 1)}
    ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR, **own)


def stop_ray() -> None:
    import ray

    ray.shutdown()
