"""What a trainer writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.saved_algorithm import SavedAlgorithm
from tests.support.write_paths.path import SavedTwicePath, WritePath


class SnapshotPath(SavedTwicePath):
    name = "snapshot"
    values = ("first", "second")

    def save(self, home: Path, value: str) -> None:
        from agents.snapshots.store import open_store
        from tests.support.tiny_policies import build_policy, make_card

        open_store().save(make_card(value), build_policy())

    def found(self, home: Path) -> Any:
        from agents.snapshots.store import SnapshotStore

        store = SnapshotStore(home / "snapshots")
        names = [card.name for card in store.list()]
        assert all(store.is_whole(name) for name in names), store.refused
        assert not store.refused, store.refused
        return names


class CheckpointPath(WritePath):
    name = "checkpoint"
    heavy = True

    def prepare(self, home: Path) -> None:
        for number in range(2):
            self._save(home, number)

    def write(self, home: Path) -> None:
        self._save(home, 2)

    def _save(self, home: Path, number: int) -> None:
        from trainer.runs.checkpoint import CheckpointFolder

        folder = CheckpointFolder(home / "checkpoints", keep_last=2)
        folder.save(SavedAlgorithm(5000), {"number": number}, step=number)

    def found(self, home: Path) -> Any:
        from agents.seal import check_seal
        from trainer.runs.checkpoint import CheckpointFolder, read_state

        folder = CheckpointFolder(home / "checkpoints")
        newest, before, *_ = folder.newest_first()
        for path in (newest, before):
            check_seal(path)
        return read_state(newest)["number"]


class MetricsPath(WritePath):
    """Metrics of a run, which a resume cuts back to its checkpoint."""

    name = "metrics"
    heavy = True

    def prepare(self, home: Path) -> None:
        (home / "metrics.jsonl").write_text('{"step": 1}\n{"step": 2}\n{"step": 3}\n{"st')

    def write(self, home: Path) -> None:
        from trainer.runs.run_folder import RunFolder

        folder = object.__new__(RunFolder)  # without TensorBoard's own files
        folder.path = home
        folder.trim(2)

    def found(self, home: Path) -> Any:
        return (home / "metrics.jsonl").read_text("utf-8")


class ManifestPath(SavedTwicePath):
    """The manifest of a run."""

    name = "manifest"
    heavy = True
    values = (1, 2)

    def save(self, home: Path, value: int) -> None:
        from trainer.runs.run_folder import RunFolder

        folder = object.__new__(RunFolder)  # without TensorBoard's own files
        folder.path, folder._began = home / "run", 0.0
        folder.path.mkdir(exist_ok=True)
        folder._manifest = {"results": {}, "sessions": [{}]}
        folder.note({"step": value})

    def found(self, home: Path) -> Any:
        return json.loads((home / "run" / "manifest.json").read_text())["results"]["step"]
