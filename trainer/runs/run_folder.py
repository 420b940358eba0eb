"""The run's folder: settings, manifest, metrics line by line, TensorBoard's files, and the trainer's endpoints."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from agents.files import replace_file
from trainer.config import RunConfig
from trainer.config.reading import write_config
from trainer.runs.manifest import Manifest


class RunFolder:
    """Writes ``runs/ID/``; close it to flush TensorBoard."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        from tensorboardX import SummaryWriter

        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        write_config(folder / "config.toml", config)
        self.manifest = Manifest(folder, config)
        self._board = SummaryWriter(str(folder / "tensorboard"), flush_secs=10)

    def trim(self, step: int) -> None:
        """Drop metrics later than the checkpoint that the run resumes from, and a line cut short by a kill."""
        path = self.folder / "metrics.jsonl"
        if path.exists():
            lines = [line for line in path.read_text("utf-8").splitlines() if _step_of(line) <= step]
            replace_file(path, "".join(f"{line}\n" for line in lines))

    def write(self, metrics: dict[str, Any]) -> None:
        """Append a line of metrics, `step` among them, with `time` in seconds since 1970."""
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({**metrics, "time": round(time.time(), 3)}) + "\n")
        for name, value in metrics.items():
            if isinstance(value, (int, float)) and name != "step":
                self._board.add_scalar(name, value, metrics["step"])

    def publish_endpoints(self, endpoints: dict[str, Any]) -> None:
        replace_file(self.folder / "endpoints.json", json.dumps(endpoints))

    def close(self) -> None:
        (self.folder / "endpoints.json").unlink(missing_ok=True)
        self._board.close()


def _step_of(line: str) -> float:
    try:
        return float(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):
        return float("inf")
