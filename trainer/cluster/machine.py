"""This machine: its hardware, and the priority of a run on it."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any


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


def resources() -> Mapping[str, float]:
    """This machine's resources by ray's names."""
    return {"CPU": float(cores()), "GPU": float(len(gpus()))}


def give_way(nice: int, *, threads: int) -> None:
    """Lower the priority of this process and its children to `nice`, 0 to 19; 0 changes nothing.

    `threads` bounds the thread pools of numeric libraries loaded later.  Linux weighs the sessions of a desktop against
    each other before their processes (autogroups), so a session of our own is lowered as a whole; and a process with
    batch scheduling does not interrupt others when it wakes.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, str(threads))
    if not nice:
        return
    os.nice(max(0, nice - os.nice(0)))
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(nice))


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0
