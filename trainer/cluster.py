"""Ray around a run: quiet, small, and gone with it."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from typing import Any

from trainer.config import RunConfig

OBJECT_STORE_BYTES = 96 * 2**20


def start_ray(config: RunConfig) -> None:
    """Start the run's own cluster, or join the one that RAY_ADDRESS names."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_TRAIN_ENABLE_V2_MIGRATION_WARNINGS", "0")
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=FutureWarning)
    import ray
    import torch

    torch.set_num_threads(config.resources.threads)
    logging.getLogger("ray").setLevel(logging.ERROR)
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR, **_own_cluster(config))


def stop_ray() -> None:
    ray = sys.modules.get("ray")
    if ray is not None:
        ray.shutdown()


def _own_cluster(config: RunConfig) -> dict[str, Any]:
    """Sizes of a cluster of our own: with the runner in this process hardly anything passes through ray."""
    if os.environ.get("RAY_ADDRESS"):
        return {}
    runners = config.resources.runners
    sizes: dict[str, Any] = {"num_cpus": max(1, runners + 1)}
    return sizes if runners else sizes | {"object_store_memory": OBJECT_STORE_BYTES}
