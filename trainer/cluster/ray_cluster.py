"""Ray around a run: quiet, small, and gone with it; or a cluster that is there already."""

from __future__ import annotations

import logging
import math
import os
import socket
import sys
import warnings
from collections.abc import Mapping
from typing import Any

from trainer.config import ConfigError, RunConfig

OBJECT_STORE_BYTES = 96 * 2**20
KNOCK_SECONDS = 10.0


def start_ray(config: RunConfig, *, trials: int = 1) -> None:
    """Start a cluster for `trials` runs like this one, or join the one of `resources.ray_address` or RAY_ADDRESS.

    Raises ConfigError where there is none at that address.
    """
    import torch

    torch.set_num_threads(config.resources.threads)
    join_ray(cluster_address(config), **own_cluster(config, trials))
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)


def join_ray(address: str, **sizes: Any) -> None:
    """Join the cluster at `address`, or where that is "" start one of these sizes; raises ConfigError where there is
    none."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_TRAIN_ENABLE_V2_MIGRATION_WARNINGS", "0")
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=FutureWarning)
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if not address:
        ray.init(address="local", include_dashboard=False, **quiet, **sizes)
        return
    try:
        _knock(address)
        ray.init(address=address, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(
            f"resources.ray_address: expected a ray cluster at {address}, got: {error}; "
            "where it asks for a token, set RAY_AUTH_MODE=token"
        ) from error


def _knock(address: str) -> None:
    """Raises OSError where nobody listens at HOST:PORT; ray would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK_SECONDS).close()


def cluster_address(config: RunConfig) -> str:
    """Of the cluster to join, "" for one of the run's own."""
    return config.resources.ray_address or os.environ.get("RAY_ADDRESS", "")


def cluster_resources() -> Mapping[str, float]:
    """What all nodes together have, in ray's words; needs an initialised ray."""
    import ray

    resources: Mapping[str, float] = ray.cluster_resources()
    return resources


def stop_ray() -> None:
    """Leave the cluster; one of the run's own ends."""
    ray = sys.modules.get("ray")
    if ray is not None:
        ray.shutdown()


def own_cluster(config: RunConfig, trials: int) -> dict[str, Any]:
    """Sizes of a cluster of our own: with all in this process hardly anything passes through ray."""
    own = config.resources
    remote = own.runners * own.cpus_per_runner + own.learners * own.cpus_per_learner
    sizes: dict[str, Any] = {"num_cpus": trials * (1 + math.ceil(remote))}
    return sizes if own.runners or own.learners or trials > 1 else sizes | {"object_store_memory": OBJECT_STORE_BYTES}
