"""Finds runs on this machine, their progress and their trainers' endpoints (MOST_RUNS)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.platform import system
from agents.run_lock import LOCK_FILE, holder, seconds_held
from agents.wire.trainer_events import line, whole
from arcade.session.training.curves import read_lines
from arcade.session.training.run_files import is_ending, read_manifest, read_object, read_settings, written_at

MOST_RUNS = 60
"""Newest runs on disk that are listed."""

MOST_FAILED = 5
"""Newest runs that could not start that are listed."""

_TAIL_BYTES = 16 * 2**10
_KEY = r"(?P<key>(?:[0-9a-fA-F]{64}|insecure)@)?"
_ENDPOINT = re.compile(rf"tcp://{_KEY}(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.%]+\]):(?P<port>\d{{1,5}})")
_LOCAL = re.compile(rf"ipc://{_KEY}/[^\s@]+")
_HERE, _ANYWHERE = ("127.0.0.1", "localhost", "[::1]"), ("0.0.0.0", "*", "[::]")
FILES = ("metrics.jsonl", "endpoints.json", "manifest.json", "config.toml")


@dataclass(frozen=True, slots=True)
class Reached:
    """The endpoints of a trainer on this machine."""

    control: str
    events: str
    pid: int
    folder: Path | None = None  # of its run


@dataclass(frozen=True, slots=True)
class RunFound:
    """One folder of ``runs/``."""

    run: str
    folder: Path
    game: str = ""
    step: int = 0
    written: float = 0.0  # when, in seconds since 1970
    reached: Reached | None = None  # None while no trainer runs
    is_starting: bool = False  # its trainer runs, but cannot be reached yet
    has_failed: bool = False  # its trainer ended before it had saved anything


def find_runs(root: Path, started: Mapping[str, int] | None = None) -> tuple[RunFound, ...]:
    """Running runs first, then the others, newest first.

    `started`: run → process id of the trainers that this window runs, 0 for one that is about to start.
    Reads the disk: for the worker.
    """
    own = started or {}
    folders = [folder for folder in root.glob("*") if folder.is_dir() and not folder.name.startswith(".")]
    dated = sorted(((max(written_at(folder / name) for name in FILES), folder) for folder in folders), reverse=True)
    found = [_read_run(folder, written) for written, folder in dated[:MOST_RUNS] if written]
    bare = {folder.name for written, folder in dated if not written} | {note.stem for note in root.glob("*.pid")}
    beginning = {name for name in bare if holder(root / name)}  # also of other windows
    found += [_read_settings(root / name) for name in sorted((own.keys() | beginning) - {run.run for run in found})]
    found = [replace(run, is_starting=_is_starting(run, own.get(run.run))) for run in found]
    return tuple(sorted(found, key=lambda run: (run.reached is None and not run.is_starting, -run.written)))


def find_failed(root: Path, started: Collection[str] = ()) -> tuple[RunFound, ...]:
    """The runs whose trainers ended before they had saved anything, newest first; `started` as in `find_runs`.

    Reads the disk: for the worker.
    """
    logs = [path for path in root.glob("*.log") if path.stem not in started and path.with_suffix(".json").exists()]
    folders = [folder for path in logs if not has_saved(folder := path.with_suffix(""))]
    found = [replace(_read_settings(folder), has_failed=True) for folder in folders if not holder(folder)]
    return tuple(sorted(found, key=lambda run: -run.written)[:MOST_FAILED])


def has_saved(folder: Path) -> bool:
    """Whether a run has saved anything, so that it can be continued.  Reads the disk."""
    return any((folder / name).exists() for name in FILES)


def _is_starting(run: RunFound, own: int | None) -> bool:
    """Whether a run has a trainer that is before its training, not behind it; `own`: the one of this window, if any."""
    process = holder(run.folder) or own
    return run.reached is None and process is not None and not is_ending(run.folder, process)


def _read_settings(folder: Path) -> RunFound:
    """A run that has nothing but the settings it was started with, beside its folder to be."""
    path = folder.with_name(f"{folder.name}.json")
    return RunFound(folder.name, folder, game=line(read_object(path).get("game")), written=written_at(path))


def find_newest(runs: Path) -> Reached | None:
    """The running trainer whose endpoints are newest, None without one.  Reads the disk: for the worker."""
    paths = sorted(runs.glob("*/endpoints.json"), key=written_at, reverse=True)
    return next(filter(None, (find_reached(path.parent) for path in paths)), None)


def find_starting(root: Path) -> RunFound | None:
    """The run whose trainer was started last and cannot be reached yet, of any window; None without one.

    Reads the disk: for the worker.
    """
    names = {note.stem for note in root.glob("*.pid")} | {lock.parent.name for lock in root.glob(f"*/{LOCK_FILE}")}
    held = [(seconds_held(root / name), name) for name in names if holder(root / name)]
    read = (
        _read_run(folder, 0.0) if has_saved(folder := root / name) else _read_settings(folder)
        for _seconds, name in sorted(held)
    )
    return next((run for run in read if _is_starting(run, None)), None)


def find_reached(folder: Path) -> Reached | None:
    """The endpoints of a run's trainer, None where none runs.  Reads the disk: for the worker."""
    data = read_object(folder / "endpoints.json")
    reached = Reached(_local(data.get("control")), _local(data.get("events")), whole(data.get("pid")) or 0, folder)
    return reached if reached.control and reached.pid and system.is_alive(reached.pid) else None


def _read_run(folder: Path, written: float) -> RunFound:
    last = next(iter(read_lines(folder / "metrics.jsonl", most=1, size=_TAIL_BYTES)), {})
    return RunFound(
        folder.name,
        folder,
        game=line(read_manifest(folder).get("game")) or line(read_settings(folder).get("game")),
        step=whole(last.get("step")) or 0,
        written=written,
        reached=find_reached(folder),
    )


def read_game_kwargs(folder: Path) -> dict[str, Any]:
    """The `game_kwargs` of a run.  Reads the disk: for the worker."""
    kwargs = read_settings(folder).get("game_kwargs")
    return kwargs if isinstance(kwargs, dict) else {}


def endpoint(value: object) -> str:
    """`value` where it is ``tcp://[KEY@]host:port``, else "": a trainer may name neither files nor local sockets."""
    match = _ENDPOINT.fullmatch(value) if isinstance(value, str) else None
    return match[0] if match and 0 < int(match["port"]) < 65536 else ""


def _local(value: object) -> str:
    """`value` where it is an endpoint of a trainer on this machine, else ""."""
    return value if isinstance(value, str) and _LOCAL.fullmatch(value) else endpoint(value)


def reached_from(control: str, events: str) -> str:
    """`events` with the key of `control`, and its host where the trainer listens everywhere or on loopback.

    "" for no address.
    """
    events = events.replace("tcp://*:", "tcp://0.0.0.0:")
    found, here = _ENDPOINT.fullmatch(endpoint(events)), _ENDPOINT.fullmatch(control)
    if found is None or here is None:
        return ""
    elsewhere = found["host"] in _HERE and here["host"] not in _HERE
    host = here["host"] if elsewhere or found["host"] in _ANYWHERE else found["host"]
    return f"tcp://{here['key'] or ''}{host}:{found['port']}"
