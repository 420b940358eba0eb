"""An algorithm that can be saved, and nothing else."""

from __future__ import annotations

from pathlib import Path

FILE = "algorithm_state.pkl"


class SavedAlgorithm:
    """Saves one file of so many zeros, where RLlib saves its own."""

    def __init__(self, size: int = 0) -> None:
        self._size = size

    def save_to_path(self, path: Path) -> None:
        path.mkdir()
        (path / FILE).write_bytes(bytes(self._size))
