"""What this machine has, for a run's manifest and for the check of what a run asks for."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def describe_machine() -> dict[str, Any]:
    """Processor, cores, memory, graphics cards, system and Python."""
    return {
        "cpu": _cpu_name(), "cores": cores(), "memory_gb": round(_memory_bytes() / 2**30, 1), "gpus": gpus(),
        "os": platform.platform(), "python": platform.python_version(), "host": platform.node(),
    }  # fmt: skip


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def gpus() -> list[str]:
    """The names of the graphics cards that this process may use; needs NVIDIA's own tool, [] without it."""
    allowed = os.environ.get("CUDA_VISIBLE_DEVICES")
    words = [] if allowed is None else ["--id=" + allowed]
    if allowed is not None and (not allowed or allowed.startswith("-")):
        return []
    try:
        listed = subprocess.run(
            ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader", *words],
            capture_output=True,
            text=True,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return listed.stdout.split("\n")[:-1] if listed.returncode == 0 else []


def resources() -> Mapping[str, float]:
    """This machine in ray's words."""
    return {"CPU": float(cores()), "GPU": float(len(gpus()))}


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0
