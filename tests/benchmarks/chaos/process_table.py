"""What /proc says about processes: descendants, environment, memory, descriptors."""

from __future__ import annotations

import ctypes
import gc
import os
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


def parents() -> dict[int, int]:
    """Process id to its parent's, zombies left out."""
    found = {}
    for path in PROC.iterdir():
        if path.name.isdecimal() and (fields := _stat(int(path.name))) and fields[0] != "Z":
            found[int(path.name)] = int(fields[1])
    return found


def descendants(pid: int) -> list[int]:
    """The children of `pid`, their children, …; parents before their children."""
    table, found = parents(), [pid]
    for one in found:
        found += [child for child, parent in table.items() if parent == one]
    return found[1:]


def started(pid: int) -> str:
    """When a live process started, in ticks since boot: with its id it is told apart from a later one; "" if gone."""
    fields = _stat(pid)
    return fields[19] if fields and fields[0] != "Z" else ""


def command(pid: int) -> str:
    """Its command line."""
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def with_environment(name: str, value: str) -> list[int]:
    """All live processes that were started with this environment variable, but this one."""
    entry = f"\0{name}={value}\0".encode()
    return [pid for pid in parents() if pid != os.getpid() and entry in b"\0" + _environment(pid)]


def memory_mb(pid: int) -> float:
    """Private memory of a process (RssAnon), 0 where it is gone."""
    try:
        lines = (PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")), 0.0)


def descriptors(pid: int) -> dict[str, int]:
    """How many of its descriptors are open, by what they lead to, without numbers; {} where it is gone."""
    found = Counter[str]()
    with suppress(OSError):
        for name in os.listdir(PROC / str(pid) / "fd"):
            with suppress(OSError):  # closed meanwhile
                found[re.sub(r"\d+", "N", os.readlink(PROC / str(pid) / "fd" / name))] += 1
    return dict(found)


def threads(pid: int) -> int:
    """Its threads, 0 where it is gone."""
    try:
        return len(os.listdir(PROC / str(pid) / "task"))
    except OSError:
        return 0


@dataclass(frozen=True)
class Sample:
    """The watched arcade at one moment."""

    at: float
    memory_mb: float
    with_free_mb: float
    """With what the allocator keeps for later, too."""
    descriptors: dict[str, int]
    threads: int
    follows_trainer: bool
    """Whether it is connected to the trainer, which takes descriptors and a thread."""


def own_sample(at: float, *, follows_trainer: bool) -> Sample:
    """What this process needs now, after it gave back what it holds no more."""
    pid = os.getpid()
    with_free = memory_mb(pid)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # glibc's
    return Sample(at, memory_mb(pid), with_free, descriptors(pid), threads(pid), follows_trainer)


def _environment(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return b""


def _stat(pid: int) -> list[str]:
    """The fields behind the name: state, parent, …"""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
