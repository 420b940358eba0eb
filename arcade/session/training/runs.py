"""The runs on this machine: which live, where they are reached, and how far they came."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.processes import is_alive
from agents.wire.trainer_events import line, whole
from arcade.session.training.addresses import endpoint
from arcade.session.training.curves import read_lines

MOST_RUNS = 60
"""Of the runs on disk, the newest that are listed."""

_TAIL_BYTES = 16 * 2**10
_FILES = ("metrics.jsonl", "endpoints.json", "manifest.json", "config.toml")


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a trainer of this machine is reached."""

    control: str
    events: str
    pid: int


@dataclass(frozen=True, slots=True)
class RunFound:
    """One folder of ``runs/``."""

    run: str
    folder: Path
    game: str = ""
    step: int = 0
    written: float = 0.0  # when, in seconds since 1970
    reached: Reached | None = None  # None: nobody trains it now

    @property
    def lives(self) -> bool:
        return self.reached is not None


def find_runs(root: Path) -> tuple[RunFound, ...]:
    """Those that live, then the others, newest first.  Reads the disk: for the worker."""
    folders = [folder for folder in root.glob("*") if folder.is_dir() and not folder.name.startswith(".")]
    dated = sorted(((_written(folder), folder) for folder in folders), reverse=True)
    found = [_read_run(folder, written) for written, folder in dated[:MOST_RUNS] if written]
    return tuple(sorted(found, key=lambda run: (not run.lives, -run.written)))


def find_reached(folder: Path) -> Reached | None:
    """Where the trainer of a run is reached, None where none runs.  Reads the disk: for the worker."""
    data = _read_json(folder / "endpoints.json")
    reached = Reached(endpoint(data.get("control")), endpoint(data.get("events")), whole(data.get("pid")) or 0)
    return reached if reached.control and reached.pid and is_alive(reached.pid) else None


def _read_run(folder: Path, written: float) -> RunFound:
    last = next(iter(read_lines(folder / "metrics.jsonl", most=1, size=_TAIL_BYTES)), {})
    return RunFound(
        folder.name,
        folder,
        game=line(_read_json(folder / "manifest.json").get("game")),
        step=whole(last.get("step")) or 0,
        written=written,
        reached=find_reached(folder),
    )


def _written(folder: Path) -> float:
    """When a run's files were last written, 0 for a folder that is none."""
    times = []
    for name in _FILES:
        try:
            times.append((folder / name).stat().st_mtime)
        except OSError:
            continue
    return max(times, default=0.0)


def _read_json(path: Path) -> dict[str, Any]:
    """The object in a file, empty where there is none: half written, or of another version."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def read_game_kwargs(folder: Path) -> dict[str, Any]:
    """What a run hands to its game beyond the catalogue, of its ``config.toml``.  Reads the disk: for the worker."""
    import tomllib

    try:
        data = tomllib.loads((folder / "config.toml").read_text("utf-8")).get("game_kwargs")
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
