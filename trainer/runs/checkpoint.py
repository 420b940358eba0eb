"""Checkpoints of a run: the learner's state by RLlib and all of ours beside it, whole or not at all.

RLlib writes pickles.  They are read back only from the run's own folder on this machine; what travels is snapshots.
"""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch

from trainer.files import write_folder

KEPT = 2
STATE_FILE = "state.json"
ALGORITHM_FOLDER = "algorithm"
RANDOM_FILE = "random.pt"


class CheckpointFolder:
    """``runs/ID/checkpoints``: a folder a checkpoint, named by a running number."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def save(self, algorithm: Any, state: dict[str, Any]) -> Path:
        """Write a checkpoint; older ones than the newest two go."""
        path = self.root / f"{max(self._numbers(), default=-1) + 1:08d}"

        def fill(aside: Path) -> None:
            algorithm.save_to_path(aside / ALGORITHM_FOLDER)
            torch.save(_random_state(), aside / RANDOM_FILE)
            (aside / STATE_FILE).write_text(json.dumps(state), "utf-8")

        write_folder(path, fill)
        self._prune()
        return path

    def newest(self) -> Path | None:
        """The last complete checkpoint, None before the first."""
        numbers = self._numbers()
        return self.root / f"{max(numbers):08d}" if numbers else None

    def _numbers(self) -> list[int]:
        return [int(path.name) for path in self.root.iterdir() if path.name.isdecimal()]

    def _prune(self) -> None:
        for number in sorted(self._numbers())[:-KEPT]:
            shutil.rmtree(self.root / f"{number:08d}", ignore_errors=True)
        for path in self.root.glob(".*.part"):
            shutil.rmtree(path, ignore_errors=True)


def read_state(path: Path) -> dict[str, Any]:
    """The state that was handed to `save`."""
    state: dict[str, Any] = json.loads((path / STATE_FILE).read_text("utf-8"))
    return state


def restore_algorithm(path: Path, algorithm: Any) -> None:
    """Weights, optimizer, counters and random states as they were."""
    algorithm.restore_from_path(path / ALGORITHM_FOLDER)
    saved = torch.load(path / RANDOM_FILE, weights_only=True)
    torch.set_rng_state(saved["torch"])
    version, keys, *rest = saved["numpy"]
    np.random.set_state((version, np.array(keys, np.uint32), *rest))
    version, numbers, gauss = saved["python"]
    random.setstate((version, tuple(numbers), gauss))


def _random_state() -> dict[str, Any]:
    version, keys, position, has_gauss, gauss = np.random.get_state()
    python_version, numbers, python_gauss = random.getstate()
    return {
        "torch": torch.get_rng_state(),
        "numpy": [version, keys.tolist(), position, has_gauss, gauss],
        "python": [python_version, list(numbers), python_gauss],
    }
