"""``manifest.json``: origin, machine, sessions, results and files of a run."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from agents.files import replace_file
from agents.snapshots.store import Snapshot
from trainer.cluster.machine import describe_machine
from trainer.config import RunConfig

FORMAT = 1
PACKAGES = (
    "pettingzoo-arcade", "ray", "torch", "onnx", "onnxruntime", "pettingzoo", "gymnasium", "numpy", "pydantic",
)  # fmt: skip
FILE_NAME = "manifest.json"


class Manifest:
    """Written whole at every change, so that a kill leaves the last state readable; sessions add up over resumes."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self._folder, self._began = folder, time.monotonic()
        before = _read(folder)
        self._facts: dict[str, Any] = {
            "format": FORMAT,
            "run": folder.name,
            "game": config.game,
            "algorithm": config.algorithm,
            "seed": config.seed,
            "versions": {name: version(name) for name in PACKAGES},
            "git": git_state(Path(__file__).parents[2]),
            "machine": describe_machine(),
            "sessions": before.get("sessions", []),
            "results": before.get("results", {}),
            "snapshots": before.get("snapshots", []),
        }

    def begin(self, command: str, notices: list[str]) -> None:
        """Start a session; `notices` are remarks on its settings."""
        self._facts["sessions"].append({"started": _now(), "pid": os.getpid(), "command": command})
        self._facts["notices"] = notices
        self._write()

    def add_snapshot(self, snapshot: Snapshot) -> None:
        """Add a snapshot that the run made, once."""
        card, known = snapshot.card, self._facts["snapshots"]
        if card.name not in [snapshot["name"] for snapshot in known]:
            known.append({"name": card.name, "step": card.step, "bytes": len(snapshot.onnx), "sha256": card.sha256})

    def note(self, results: Mapping[str, Any]) -> None:
        """Update the results so far."""
        self._facts["results"] |= results
        self._facts["sessions"][-1] |= {"seconds": round(time.monotonic() - self._began, 1), "step": results["step"]}
        self._write()

    def end(self, state: Mapping[str, Any]) -> None:
        """End the session."""
        seconds = round(time.monotonic() - self._began, 1)
        self._facts["sessions"][-1] |= {"ended": _now(), "seconds": seconds, **state}
        self._write()

    def _write(self) -> None:
        facts = self._facts | {"files": _files(self._folder)}
        replace_file(self._folder / FILE_NAME, json.dumps(facts, indent=1))


def git_state(folder: Path) -> dict[str, Any] | None:
    """The commit of a checkout and whether it has changes; None without a checkout or git."""
    if not (folder / ".git").exists():
        return None
    try:
        commit = _git(folder, "rev-parse", "HEAD")
        return {"commit": commit, "dirty": bool(_git(folder, "status", "--porcelain", "--untracked-files=no"))}
    except (OSError, subprocess.SubprocessError):
        return None


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=20, check=True)
    return done.stdout.strip()


def _files(folder: Path) -> dict[str, int]:
    """Path below the run's folder to size in bytes, of every other file of the run."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name not in (FILE_NAME, "lock", "endpoints.json") and "/." not in f"/{name}" and path.is_file():
            found[name] = path.stat().st_size
    return found


def _read(folder: Path) -> dict[str, Any]:
    try:
        facts = json.loads((folder / FILE_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) and facts.get("format") == FORMAT else {}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
