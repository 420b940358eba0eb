"""What the folders of runs have: shown, compared and deleted from the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agents.run_lock import RunLock, announce, withdraw
from arcade.commands.cli import app


def make_run(home: Path, name: str, *, lr: float, steps: int) -> Path:
    run = home / "runs" / name
    run.mkdir(parents=True)
    lines = [{"step": step, "score": step / 1000, "time": 1.7e9 + step} for step in range(1000, steps + 1, 1000)]
    (run / "metrics.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (run / "config.toml").write_text(
        f'game = "house/volley"\nrun = "{name}"\nalgorithm = "PPO"\n[training]\nlr = {lr}\n'
    )
    best = {"metric": "yardstick", "value": 0.8, "step": steps, "checkpoint": "00000001"}
    manifest = {
        "game": "house/volley", "sessions": [{"pid": 1}], "snapshots": [{"name": f"{name}-0000", "step": 0}],
        "results": {"last": lines[-1] | {"yardstick": 0.8}, "best": best},
    }  # fmt: skip
    (run / "manifest.json").write_text(json.dumps(manifest))
    return run


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    make_run(tmp_path, "slow", lr=1e-4, steps=4000)
    make_run(tmp_path, "quick", lr=1e-3, steps=9000)
    return lambda *words: CliRunner().invoke(app, ["runs", *words])


def data(done: Result) -> Any:
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_run_is_shown(runs: Callable[..., Result]) -> None:
    shown = data(runs("show", "quick", "--json"))
    assert (shown["game"], shown["step"], shown["snapshots"]) == ("house/volley", 9000, ["quick-0000"])
    assert shown["best"]["value"] == 0.8
    assert "yardstick: 0.8" in runs("show", "quick").stdout
    assert runs("show", "none").exit_code == 3


def test_the_newest_metrics_come_last(runs: Callable[..., Result]) -> None:
    assert [line["step"] for line in data(runs("logs", "quick", "-n", "2", "--json"))["metrics"]] == [8000, 9000]
    assert runs("logs", "quick", "-n", "1").stdout == "step 9000  score 9\n"


def test_runs_are_compared_by_figures_and_by_the_settings_that_differ(runs: Callable[..., Result]) -> None:
    found = data(runs("compare", "slow", "quick", "--json"))
    assert found["settings"] == {"slow": {"training.lr": 1e-4}, "quick": {"training.lr": 1e-3}}
    assert [run["last"]["score"] for run in found["runs"]] == [4.0, 9.0]
    said = runs("compare", "slow", "quick").stdout
    assert "setting training.lr" in said
    assert "algorithm" not in said
    assert runs("compare", "slow").exit_code == 2


def test_a_run_is_deleted_unless_a_trainer_uses_it(runs: Callable[..., Result], tmp_path: Path) -> None:
    run = tmp_path / "runs" / "slow"
    assert runs("delete", "slow").exit_code == 1, "nothing was answered"
    with RunLock(run):
        assert runs("delete", "slow", "--yes").exit_code == 2
    announce(run, os.getpid())
    starting = runs("delete", "slow", "--yes")
    assert starting.exit_code == 2, "its trainer is starting"
    assert f"process {os.getpid()} trains" in starting.stderr
    withdraw(run, os.getpid())
    assert run.exists()
    assert data(runs("delete", "slow", "--yes", "--json")) == {"deleted": "slow"}
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["quick"]
