"""When the policies of a run are measured, and the checkpoint that the figures belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from trainer.config.sections import EvaluationSettings
from trainer.league.yardstick import Yardstick
from trainer.networks.seat import SeatNetwork
from trainer.runs.checkpoint import CheckpointFolder

PIECE_SECONDS = 0.2
"""For matches of yardstick and ladder after each iteration, so that requests are answered soon."""


class Measuring:
    """Each measurement begins with a checkpoint of the policies that are measured, which is ranked by their figures.

    `save` writes a checkpoint, None where it cannot; `write` calls what writes, again once there is room on the disk.
    """

    def __init__(
        self, settings: EvaluationSettings, yardstick: Yardstick, checkpoints: CheckpointFolder, *,
        save: Callable[[], Path | None], write: Callable[[Callable[[], None]], object],
    ) -> None:  # fmt: skip
        self._settings, self._yardstick, self._checkpoints = settings, yardstick, checkpoints
        self._save, self._write = save, write
        self.next_at = 0  # env step
        self._began_at: int | None = None  # env step of the last measurement
        self._figures: dict[str, float] = {}  # of it so far
        self._checkpoint: Path | None = None  # its checkpoint

    @property
    def is_under_way(self) -> bool:
        return self._yardstick.measurement is not None

    def is_due(self, step: int) -> bool:
        """Whether to begin one now."""
        return bool(self._settings.steps) and step >= self.next_at and not self.is_under_way

    def begin(self, step: int, network: Callable[[str], SeatNetwork], first: Mapping[str, str]) -> None:
        """Measure the policies of this step; `first` is the run's first snapshot of each, by policy id."""
        self.next_at, self._began_at, self._figures = step + self._settings.steps, step, {}
        self._yardstick.begin(network, first=first)
        self._checkpoint = self._save()
        if self._checkpoint is not None:
            self._checkpoints.begin_measuring(self._checkpoint)

    def work(self) -> dict[str, float]:
        """Play for a while; returns the figures of an opponent once they are there."""
        if not self.is_under_way:
            return {}
        figures = self._yardstick.work(PIECE_SECONDS)
        self._figures |= figures
        checkpoint, found = self._checkpoint, dict(self._figures)
        if checkpoint is not None and not self.is_under_way:
            self._write(lambda: self._checkpoints.note(checkpoint, found))
        return figures

    def finish(
        self, step: int, network: Callable[[str], SeatNetwork], first: Mapping[str, str], *, stopped: Callable[[], bool]
    ) -> dict[str, float]:
        """All figures of the policies of this step; empty without evaluation, or once `stopped`."""
        while self._settings.steps and not stopped():
            if not self.is_under_way:
                if self._began_at == step:
                    return self._figures
                self.begin(step, network, first)
            self.work()
        return {}

    def as_data(self, step: int) -> dict[str, Any]:
        """What a run that is resumed at `step` needs; it begins a measurement that was under way anew."""
        return {"next_at": step if self.is_under_way else self.next_at, "opponents": self._yardstick.as_data()}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore `as_data`."""
        self.next_at = data["next_at"]
        self._yardstick.restore(data["opponents"])
