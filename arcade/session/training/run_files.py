"""Reads the files of a run: what is known of it while no trainer runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.files import parse_json, parse_toml, read_file
from agents.wire.messages import ProtocolError
from agents.wire.trainer_events import (
    MOST_MEMBERS,
    PoolMember,
    PoolTable,
    TrainerStatus,
    line,
    number,
    read_event,
    whole,
)
from arcade.session.training.curves import Curves, read_history

MANIFEST, CONFIG, METRICS = "manifest.json", "config.toml", "metrics.jsonl"
MAX_BYTES = 16 * 2**20
"""Of a manifest or of settings; a run of months has some megabytes."""


def written_at(path: Path) -> float:
    """Time of the last write, in seconds of the system's clock; 0 for a missing file."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


@dataclass(frozen=True, slots=True)
class RunFiles:
    """A run as its files have it."""

    status: TrainerStatus
    pools: Mapping[str, tuple[PoolMember, ...]]  # policy → members, oldest first
    curves: Curves
    matches: int  # of one measurement; 0 where the settings do not tell


def read_run_files(folder: Path) -> RunFiles:
    """Read a run's folder; what is missing or malformed is left out.  Reads the disk: for the worker."""
    manifest, config = read_manifest(folder), read_settings(folder)
    curves = read_history(folder / METRICS)
    status = TrainerStatus(
        run=line(folder.name),
        game=line(manifest.get("game")) or line(config.get("game")),
        algorithm=line(manifest.get("algorithm")) or line(config.get("algorithm")),
        step=max(0, int(curves.last_step)),
        snapshots=len(_entries(manifest)),
    )
    return RunFiles(status, _pools(manifest, config), curves, matches_of(config))


def matches_of(config: Mapping[str, Any]) -> int:
    """In how many matches a run with these settings is measured against each opponent; 0: not known."""
    evaluation = config.get("evaluation")
    return whole(evaluation.get("games")) or 0 if isinstance(evaluation, dict) else 0


def read_manifest(folder: Path) -> dict[str, Any]:
    """The ``manifest.json`` of a run, empty where it is missing or malformed."""
    return read_object(folder / MANIFEST)


def read_settings(folder: Path) -> dict[str, Any]:
    """The ``config.toml`` of a run, empty where it is missing or malformed."""
    return read_object(folder / CONFIG, parse_toml)


def read_object(path: Path, parse: Callable[[bytes], Any] = parse_json) -> dict[str, Any]:
    """The object in a file, empty where it is missing or malformed."""
    try:
        data = parse(read_file(path, most=MAX_BYTES))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def is_ending(folder: Path, process: int) -> bool:
    """Whether the trainer `process` has finished its training and only has to end."""
    sessions = read_manifest(folder).get("sessions")
    last = sessions[-1] if isinstance(sessions, list) and sessions else None
    return process > 0 and isinstance(last, dict) and last.get("pid") == process and "ended" in last


def _pools(manifest: Mapping[str, Any], config: Mapping[str, Any]) -> Mapping[str, tuple[PoolMember, ...]]:
    """The pools that the last checkpoint noted; of an older run, its opponents by name."""
    results = manifest.get("results")
    noted = results.get("pools") if isinstance(results, dict) else None
    try:
        table = read_event(PoolTable.NAME, {"policies": noted}) if noted else None
    except ProtocolError:
        table = None
    if isinstance(table, PoolTable):
        return table.policies
    members = _members(manifest, config)
    return {"": members} if members else {}


def _members(manifest: Mapping[str, Any], config: Mapping[str, Any]) -> tuple[PoolMember, ...]:
    """The opponents of a run: fixed ones, then its snapshots, with the win rates that the last trainer noted."""
    results, opponents = manifest.get("results"), config.get("opponents")
    rates = results.get("win_rates") if isinstance(results, dict) else None
    known: Mapping[str, Any] = rates if isinstance(rates, dict) else {}
    fixed = opponents.get("fixed") if isinstance(opponents, dict) else None
    words = [word for text in fixed if (word := line(text))] if isinstance(fixed, list) else []
    own = [(line(entry.get("name")), whole(entry.get("step"))) for entry in _entries(manifest)]
    found = [_member(word, "fixed", None, known) for word in words]
    found += [_member(name, "snapshot", step, known) for name, step in own if name]
    return tuple(found[-MOST_MEMBERS:])


def _member(name: str, kind: str, step: int | None, rates: Mapping[str, Any]) -> PoolMember:
    rate = number(rates.get(name))
    return PoolMember(
        name=name, kind=kind, frozen_at=step, win_rate=rate if rate is not None and 0 <= rate <= 1 else None
    )


def _entries(manifest: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    found = manifest.get("snapshots")
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []
