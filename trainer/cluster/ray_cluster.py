"""Starts a local Ray cluster for a run, or connects to one; hardware and priority of the machine."""

from __future__ import annotations

import logging
import math
import os
import platform
import socket
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agents.platform import system
from agents.platform.children import Guard
from trainer.cluster.ray_token import check_token, require_token
from trainer.config import ConfigError, RunConfig

OBJECT_STORE_BYTES = 96 * 2**20
CONNECT_SECONDS = 10.0
START_ATTEMPTS = 5


def start_ray(config: RunConfig, *, trials: int = 1) -> None:
    """Start a cluster for `trials` runs like this one, or join that of `resources.ray_address` or RAY_ADDRESS.

    Raises ConfigError if it cannot be joined.
    """
    import torch

    torch.set_num_threads(config.resources.threads)
    join_ray(cluster_address(config), **own_cluster(config, trials))
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)


def join_ray(address: str, **sizes: Any) -> None:
    """Join the cluster at `address`, or for "" start one of these sizes; raises ConfigError if it cannot be joined.

    A process that is in a cluster already stays in it.  A cluster of our own takes orders, which may run any code, only
    with the token in ARCADE_HOME/keys.
    """
    if is_ray_running():
        return
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_TRAIN_ENABLE_V2_MIGRATION_WARNINGS", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # runners keep the trainer's priority, which resources.nice sets
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=FutureWarning)
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if not address:
        require_token()
        _start(lambda: ray.init(address="local", include_dashboard=False, **quiet, **sizes))
        return check_token()
    try:
        _connect(address)
        ray.init(address=address, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(
            f"resources.ray_address: expected a ray cluster at {address}, got: {error}; "
            "if it requires a token, set RAY_AUTH_MODE=token"
        ) from error


def _start(init: Callable[[], object]) -> None:
    """Start a cluster of our own, and again where the machine is too busy for ray's limit of 30 seconds."""
    for attempt in range(START_ATTEMPTS):
        _guards.append(Guard("raylet"))
        try:
            init()
            return _guards[-1].settle()
        except Exception as error:  # ray raises no class of its own here
            if "timed out" not in str(error).lower():  # during startup, or waiting for the files of its servers
                raise
            end_agents()
            _end_children()
            if attempt == START_ATTEMPTS - 1:
                raise ConfigError(
                    f"expected ray to start, got {START_ATTEMPTS} timeouts: this computer is too busy; "
                    "try again when other programs have ended"
                ) from error
            print("ray has not started within its time: this computer is busy; trying again", file=sys.stderr)


def _end_children() -> None:
    """End what a failed start has left."""
    import psutil  # ray brings it along

    left = [one for one in psutil.Process().children() if one.name() == "gcs_server"]
    for one in left:
        one.kill()
    psutil.wait_procs(left, timeout=CONNECT_SECONDS)


_guards: list[Guard] = []
"""Of the cluster of our own.

The kernel ends what ray.init starts, but not the agents that its raylet starts: after a kill they try for minutes to
report the end of their cluster to it.
"""


def end_agents() -> None:
    """End the raylet of our own cluster and all that it has started, also before ray.init is done."""
    while _guards:
        _guards.pop().close()


def _connect(address: str) -> None:
    """Raise OSError if no server listens at HOST:PORT; ray would retry for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()


def cluster_address(config: RunConfig) -> str:
    """The address of the cluster to join, "" for one of the run's own."""
    return config.resources.ray_address or os.environ.get("RAY_ADDRESS", "")


def is_ray_running() -> bool:
    """Whether this process has started or joined a cluster."""
    ray = sys.modules.get("ray")
    return ray is not None and ray.is_initialized()


def stop_ray() -> None:
    """Leave the cluster, or end the run's own."""
    ray = sys.modules.get("ray")
    if ray is not None:
        ray.shutdown()
    end_agents()


def own_cluster(config: RunConfig, trials: int) -> dict[str, Any]:
    """The sizes of the run's own cluster; without remote workers hardly any data passes through ray."""
    own = config.resources
    remote = own.runners * own.cpus_per_runner + own.learners * own.cpus_per_learner
    sizes: dict[str, Any] = {"num_cpus": trials * (1 + math.ceil(remote))}
    return sizes if own.runners or own.learners or trials > 1 else sizes | {"object_store_memory": OBJECT_STORE_BYTES}


def describe_machine() -> dict[str, Any]:
    """Processor, cores, memory, graphics cards, system and Python."""
    return {
        "cpu": _cpu_name(), "cores": cores(), "memory_gb": round(memory_bytes() / 2**30, 1), "gpus": gpus(),
        "os": platform.platform(), "python": platform.python_version(), "host": platform.node(),
    }  # fmt: skip


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def gpus() -> list[str]:
    """The names of the graphics cards that this process may use, by NVIDIA's own tool; [] without it."""
    allowed = os.environ.get("CUDA_VISIBLE_DEVICES")
    if allowed is not None and (not allowed or allowed.startswith("-")):
        return []
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        listed = subprocess.run(
            command if allowed is None else [*command, f"--id={allowed}"], capture_output=True, text=True, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return listed.stdout.split("\n")[:-1] if listed.returncode == 0 else []


def host_resources() -> Mapping[str, float]:
    """This machine's resources by ray's names."""
    return {"CPU": float(cores()), "GPU": float(len(gpus()))}


def give_way(nice: int, *, threads: int) -> None:
    """Lower the priority of this process and its children to `nice`, 0 to 19; 0 changes nothing.

    `threads` bounds the thread pools of numeric libraries loaded later.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, str(threads))
    if nice:
        system.give_way(nice)


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def memory_bytes() -> int:
    """Of this machine, 0 where it is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):  # Windows has no sysconf
        return 0
