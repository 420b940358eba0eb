"""The folder of a run: settings, manifest, metrics line by line, TensorBoard's files, and the trainer's endpoints."""

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
from trainer.config.reading import write_config

FORMAT = 1
PACKAGES = (
    "pettingzoo-arcade", "ray", "torch", "onnx", "onnxruntime", "pettingzoo", "gymnasium", "numpy", "pydantic",
)  # fmt: skip
MANIFEST_FILE = "manifest.json"


class RunFolder:
    """Writes ``runs/ID/``; closing it flushes TensorBoard."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        from tensorboardX import SummaryWriter

        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        write_config(folder / "config.toml", config)
        self.manifest = Manifest(folder, config)
        self._board = SummaryWriter(str(folder / "tensorboard"), flush_secs=10)

    def trim(self, step: int) -> None:
        """Drop metrics later than the checkpoint that the run resumes from, and a line cut short by a kill."""
        path = self.folder / "metrics.jsonl"
        if path.exists():
            lines = [line for line in path.read_text("utf-8").splitlines() if _step_of(line) <= step]
            replace_file(path, "".join(f"{line}\n" for line in lines))

    def write(self, metrics: dict[str, Any]) -> None:
        """Append a line of metrics, `step` among them, with `time` in seconds since 1970."""
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({**metrics, "time": round(time.time(), 3)}) + "\n")
        for name, value in metrics.items():
            if isinstance(value, (int, float)) and name != "step":
                self._board.add_scalar(name, value, metrics["step"])

    def publish_endpoints(self, endpoints: dict[str, Any]) -> None:
        replace_file(self.folder / "endpoints.json", json.dumps(endpoints))

    def close(self) -> None:
        (self.folder / "endpoints.json").unlink(missing_ok=True)
        self._board.close()


class Manifest:
    """``manifest.json``: origin, machine, sessions, results and files of a run.

    It is written whole at every change, so that a kill leaves the last state readable; resumes add sessions.
    """

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
            "notices": [],
        }

    def begin(self, command: str) -> None:
        """Start a session."""
        self._facts["sessions"].append({"started": _now(), "pid": os.getpid(), "command": command})
        self._write()

    def add_snapshot(self, snapshot: Snapshot) -> None:
        """Add a snapshot that the run made, once."""
        card, known = snapshot.card, self._facts["snapshots"]
        if all(other["name"] != card.name for other in known):
            known.append({"name": card.name, "step": card.step, "bytes": len(snapshot.onnx), "sha256": card.sha256})

    def note(self, results: Mapping[str, Any]) -> None:
        """Update the results so far."""
        self._facts["results"] |= results
        self._write(step=results["step"])

    def end(self, state: Mapping[str, Any]) -> None:
        """End the session."""
        self._write(ended=_now(), **state)

    def _write(self, **session: Any) -> None:
        """Write the manifest, with the length and other facts of the session under way."""
        self._facts["sessions"][-1] |= {"seconds": round(time.monotonic() - self._began, 1), **session}
        facts = self._facts | {"files": _files(self._folder)}
        replace_file(self._folder / MANIFEST_FILE, json.dumps(facts, indent=1))


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
        if name not in (MANIFEST_FILE, "lock", "endpoints.json") and "/." not in f"/{name}" and path.is_file():
            found[name] = path.stat().st_size
    return found


def _read(folder: Path) -> dict[str, Any]:
    try:
        facts = json.loads((folder / MANIFEST_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) and facts.get("format") == FORMAT else {}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _step_of(line: str) -> float:
    try:
        return float(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):
        return float("inf")
