"""``arcade runs show``, ``logs``, ``compare`` and ``delete``: what the folders of runs have."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from agents.errors import UserError
from agents.files import PART, folder
from arcade.commands.completion import completing
from arcade.commands.options import Json


def _runs() -> Iterable[str]:
    from arcade.session.training.runs import find_runs

    return [run.run for run in find_runs(folder("runs"))]


complete_run = completing(_runs)

Run = Annotated[str, typer.Argument(metavar="RUN", help="A run of `arcade runs list`.", autocompletion=complete_run)]

MOST_LINES = 100_000


class RunError(UserError):
    """A run that does not exist, or that a trainer is using."""


def show(run: Run, as_json: Json = False) -> None:
    """Show game, settings, results, best checkpoint and snapshots of a run."""
    facts = _facts(_find(run))
    if as_json:
        print(json.dumps(facts))
        return
    for name in ("run", "game", "algorithm", "step", "sessions", "best", "folder"):
        if name != "best":
            print(f"{name}: {facts[name]}")
        elif best := facts["best"]:
            print(f"best: {best['metric']} {best['value']:.4g} at step {best['step']:,}")
    for name, value in facts["last"].items():
        print(f"  {name}: {value:.4g}" if isinstance(value, float) else f"  {name}: {value}")
    if facts["snapshots"]:
        print(f"snapshots: {', '.join(facts['snapshots'])}")


def logs(
    run: Run,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, max=MOST_LINES, help="How many, the newest.")] = 20,
    as_json: Json = False,
) -> None:
    """Show the newest metrics of a run, a line for each iteration."""
    from arcade.session.training.curves import read_lines
    from arcade.session.training.run_files import METRICS

    found = list(read_lines(_find(run) / METRICS, most=MOST_LINES))[-lines:]
    if as_json:
        print(json.dumps({"run": run, "metrics": found}))
        return
    for metrics in found:
        print("  ".join(f"{name} {_short(value)}" for name, value in metrics.items() if name != "time"))


def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="Two runs or more.", autocompletion=complete_run)],
    as_json: Json = False,
) -> None:
    """Compare runs by their newest metrics, and show the settings in which they differ."""
    from arcade.commands.terminal import print_table
    from arcade.session.training.run_files import read_settings

    if len(runs) < 2:
        raise RunError(f"expected two runs or more, got: {', '.join(runs)}")
    folders = [_find(run) for run in runs]
    facts, settings = [_facts(one) for one in folders], [_flat(read_settings(one)) for one in folders]
    names = list(dict.fromkeys(name for one in facts for name in one["last"] if name != "time"))
    keys = sorted({key for one in settings for key in one if key != "run"})
    differing = [key for key in keys if len({json.dumps(one.get(key)) for one in settings}) > 1]
    if as_json:
        shown = [{key: one.get(key) for key in differing} for one in settings]
        print(json.dumps({"runs": facts, "settings": dict(zip(runs, shown, strict=True))}))
        return
    rows = [[name, *(_short(one["last"].get(name, "")) for one in facts)] for name in names]
    rows += [[f"setting {key}", *(_short(one.get(key, "")) for one in settings)] for key in differing]
    print_table(("", *(f">{run}" for run in runs)), rows)


def delete(
    run: Run,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete a run's folder with its checkpoints for good; its snapshots stay."""
    from agents.run_lock import RunBusy, RunLock, holder

    path = _find(run)
    if not yes:
        typer.confirm(f"Delete {run} with its checkpoints for good?", abort=True, err=True)
    if process := holder(path):  # also one that is starting, and has no lock yet
        raise RunBusy(f"expected a run without a trainer, got: {run!r}, which process {process} trains; stop it first")
    with RunLock(path):
        aside = path.with_name(f".{path.name}.{os.getpid()}{PART}")
        os.rename(path, aside)
    shutil.rmtree(aside, ignore_errors=True)
    print(json.dumps({"deleted": run}) if as_json else f"deleted {run}; its snapshots stay")


def _find(run: str) -> Path:
    """The folder of a run; raises RunError."""
    runs = folder("runs")
    there = [path.name for path in sorted(runs.iterdir()) if path.is_dir() and not path.name.startswith(".")]
    if run not in there:
        text = f"expected one of the runs {', '.join(there[-20:]) or '(none yet)'}, got: {run!r}"
        raise RunError(text, code="not_found")
    return runs / run


def _facts(path: Path) -> dict[str, Any]:
    from arcade.session.training.run_files import read_manifest, read_run_files

    files, manifest = read_run_files(path), read_manifest(path)
    results, entries = manifest.get("results"), manifest.get("snapshots")
    results, entries = results if isinstance(results, dict) else {}, entries if isinstance(entries, list) else []
    last, sessions = results.get("last"), manifest.get("sessions")
    return {
        "run": path.name, "game": files.status.game, "algorithm": files.status.algorithm, "step": files.status.step,
        "sessions": len(sessions) if isinstance(sessions, list) else 0, "best": results.get("best"),
        "last": last if isinstance(last, dict) else {}, "folder": str(path),
        "snapshots": [str(entry["name"]) for entry in entries if isinstance(entry, dict) and "name" in entry],
    }  # fmt: skip


def _flat(settings: dict[str, Any], within: str = "") -> dict[str, Any]:
    """{"training": {"lr": …}} as {"training.lr": …}."""
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        flat |= _flat(value, f"{within}{key}.") if isinstance(value, dict) else {f"{within}{key}": value}
    return flat


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
