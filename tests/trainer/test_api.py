"""The trainer's Python API: a run and a clone by a call each, and a cheap import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import trainer
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameError
from arcade.recordings.query import DatasetError

SMALL = {
    "steps": 256, "training": {"batch": 128, "minibatch": 64, "epochs": 1}, "resources": {"games": 8},
    "network": {"hidden": (8,)}, "evaluation": {"steps": 0}, "freeze": {"placement_games": 0},
}  # fmt: skip


def test_it_is_imported_without_what_trains() -> None:
    program = "import sys, trainer; sys.exit(any(name in sys.modules for name in ('ray', 'torch', 'pydantic')))"
    assert subprocess.run([sys.executable, "-c", program], timeout=300).returncode == 0
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        trainer.nothing  # noqa: B018


def test_a_run_says_what_came_of_it_and_is_resumed(arcade_home) -> None:
    run = trainer.train(trainer.RunConfig(game="house/volley", **SMALL))
    assert run.step == 256
    assert run.id.startswith("volley-")
    assert run.folder == arcade_home / "runs" / run.id
    assert (run.config.resources.games, run.metrics["step"]) == (8, 256)
    store = SnapshotStore(arcade_home / "snapshots")
    assert [card.name for card in store.list("house/volley")] == list(run.snapshots)
    with pytest.raises(trainer.ConfigError, match=f"expected a new run id, got '{run.id}'"):
        trainer.train(run.config)
    assert trainer.train(run.config, resume=True).step == 256


def test_what_cannot_be_trained_or_imitated_is_said(arcade_home) -> None:
    with pytest.raises(GameError, match="house/volley"):
        trainer.train(trainer.RunConfig(game="house/voley"))
    with pytest.raises(trainer.ConfigError, match=r"network\.lstm: expected 0 with SAC"):
        trainer.train(trainer.RunConfig(game="house/volley", algorithm="SAC", network={"lstm": 8}))
    with pytest.raises(DatasetError, match="expected recordings of"):
        trainer.imitate("house/volley", person="Ada")
    with pytest.raises(trainer.ConfigError, match="epochs"):
        trainer.imitate("house/volley", settings={"epochs": 0})
