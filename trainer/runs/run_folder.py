"""The folder of a run: settings, manifest, metrics line by line, TensorBoard's files, and the trainer's endpoints."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from agents.files import read_json, replace_file
from agents.snapshots.store import Snapshot
from trainer.cluster.ray_cluster import describe_machine
from trainer.config import RunConfig
from trainer.config.reading import write_config
from trainer.runs.board import Board

FORMAT = 1
PACKAGES = (
    "pettingzoo-arcade", "ray", "torch", "onnx", "onnxruntime", "pettingzoo", "gymnasium", "numpy", "pydantic",
)  # fmt: skip
MANIFEST_FILE = "manifest.json"


class RunFolder:
    """Writes ``runs/ID/``.

    ``manifest.json`` has origin, machine, sessions, results and files of the run.  It is written whole at every change,
    so that a kill leaves the last state readable; resumes add sessions.
    """

    def __init__(self, path: Path, config: RunConfig) -> None:
        self.path, self._began = path, time.monotonic()
        path.mkdir(parents=True, exist_ok=True)
        write_config(path / "config.toml", config)
        self._board = Board(path / "tensorboard")
        before = _read(path)
        self._manifest: dict[str, Any] = {
            "format": FORMAT,
            "run": path.name,
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

    def trim(self, step: int) -> None:
        """Drop metrics later than the checkpoint that the run resumes from, and a line cut short by a kill."""
        path = self.path / "metrics.jsonl"
        if path.exists():
            lines = [line for line in path.read_text("utf-8").splitlines() if _step_of(line) <= step]
            replace_file(path, "".join(f"{line}\n" for line in lines))

    def write(self, metrics: dict[str, Any]) -> None:
        """Append a line of metrics, `step` among them, with `time` in seconds since 1970."""
        line = f"{json.dumps({**metrics, 'time': round(time.time(), 3)})}\n".encode()
        with (self.path / "metrics.jsonl").open("ab", buffering=0) as file:
            whole = file.tell()
            if file.write(line) != len(line):
                file.truncate(whole)  # of a disk that became full
                raise OSError(errno.ENOSPC, "no room for the metrics")
        shown = {name: value for name, value in metrics.items() if isinstance(value, (int, float)) and name != "step"}
        self._board.add(shown, step=metrics["step"])

    def publish_endpoints(self, endpoints: dict[str, Any]) -> None:
        replace_file(self.path / "endpoints.json", json.dumps(endpoints))

    def begin_session(self, command: str, *, lost: Sequence[str] = ()) -> None:
        """Start a session in the manifest; `lost` is what a resumed run could not take up again."""
        session: dict[str, Any] = {"started": _now(), "pid": os.getpid(), "command": command}
        self._manifest["sessions"].append(session | ({"lost": list(lost)} if lost else {}))
        self._write_manifest()

    def add_snapshot(self, snapshot: Snapshot) -> None:
        """Add a snapshot that the run made to the manifest, once."""
        card, known = snapshot.card, self._manifest["snapshots"]
        if all(other["name"] != card.name for other in known):
            known.append({"name": card.name, "step": card.step, "bytes": len(snapshot.onnx), "sha256": card.sha256})

    def note(self, results: Mapping[str, Any]) -> None:
        """Update the results so far in the manifest."""
        self._manifest["results"] |= results
        self._write_manifest(step=results["step"])

    def close(self, state: Mapping[str, Any]) -> None:
        """End the session with the last `state`."""
        self._write_manifest(ended=_now(), **state)
        (self.path / "endpoints.json").unlink(missing_ok=True)

    def _write_manifest(self, **session: Any) -> None:
        """Write the manifest, with the length and other facts of the session under way."""
        self._manifest["sessions"][-1] |= {"seconds": round(time.monotonic() - self._began, 1), **session}
        facts = self._manifest | {"files": _files(self.path)}
        replace_file(self.path / MANIFEST_FILE, json.dumps(facts, indent=1))


def git_state(folder: Path) -> dict[str, Any] | None:
    """The commit of a checkout and whether it has changes; None without a checkout or git."""
    if not (folder / ".git").exists():
        return None
    command = ["git", "-C", str(folder), "status", "--porcelain=v2", "--branch", "--untracked-files=no"]
    try:
        lines = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        return None
    commit = next(line for line in lines if line.startswith("# branch.oid ")).split()[-1]
    return {"commit": commit, "dirty": not all(line.startswith("#") for line in lines)}


def _files(folder: Path) -> dict[str, int]:
    """Path below the run's folder to size in bytes, of every other file of the run.

    Not of what is being written: a thread may finish a checkpoint meanwhile, which moves its folder.
    """
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for path in (Path(place, name) for name in sorted(names) if not name.startswith(".")):
            name = path.relative_to(folder).as_posix()
            with contextlib.suppress(FileNotFoundError):  # an older checkpoint was just deleted
                if name not in (MANIFEST_FILE, "lock", "endpoints.json"):
                    found[name] = path.stat().st_size
    return found


def _read(folder: Path) -> dict[str, Any]:
    try:
        facts = read_json(folder / MANIFEST_FILE, most=2**24)
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
