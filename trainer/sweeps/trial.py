"""A trial of a sweep: an ordinary run in a process of Ray Tune, to which it reports every iteration."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ray import tune

from agents.home import folder
from agents.ladder.ladder import open_ladder
from agents.run_lock import RunLock
from agents.snapshots.store import open_store
from trainer.config.reading import make_config
from trainer.config.tuning import TuneSettings, with_sample
from trainer.runs.checkpoint import CheckpointFolder, metric_of
from trainer.runs.checks import apply_kwargs
from trainer.runs.choice import find_installed
from trainer.runs.control import TrainerServer
from trainer.runs.progress import Progress
from trainer.runs.training import TrainingRun

LOCK_SECONDS = 60.0
"""The most seconds to wait for the run's previous process to end."""


def run_id_of(sweep: str, trial_id: str) -> str:
    """The run id of a trial, by the number that ends Ray Tune's id."""
    return f"{sweep}-{int(trial_id.rpartition('_')[2] or 0):02d}"


def train_trial(
    sample: Mapping[str, Any], *, base: dict[str, Any], home: str, sweep: str, settings: TuneSettings
) -> None:
    """Run one trial; Ray Tune calls it, in population-based training again with other samples and a checkpoint."""
    os.environ["ARCADE_HOME"] = home
    run_id = run_id_of(sweep, tune.get_context().get_trial_id())
    config = make_config(with_sample(base, sample) | {"run": run_id})
    report = TuneReport(settings)
    spec, run_folder = apply_kwargs(config, find_installed(config.game)), folder("runs") / run_id
    with RunLock(run_folder, seconds=LOCK_SECONDS), TrainerServer() as server, open_ladder() as ladder:
        resume = _adopt_checkpoint(run_folder)
        with TrainingRun(
            config, spec, folder=run_folder, store=open_store(), ladder=ladder, server=server, progress=report,
            resume=resume, command="a trial of a sweep",
        ) as report.run:  # fmt: skip
            report.run.run()


class TuneReport(Progress):
    """Reports the metrics of every iteration to Ray Tune, some with a checkpoint."""

    run: TrainingRun

    def __init__(self, settings: TuneSettings) -> None:
        super().__init__("trial")
        self._settings, self._value = settings, float("-inf") if settings.mode == "max" else float("inf")

    def say(self, line: str) -> None:
        print(line, flush=True)

    def show(self, metrics: dict[str, Any], *_: Any, **__: Any) -> None:
        """Report; Ray Tune ends the thread here to stop the trial."""
        value = metric_of(metrics, self._settings.metric)
        self._value = self._value if value is None else value
        saves = metrics["iteration"] % self._settings.interval == 0
        checkpoint = tune.Checkpoint.from_directory(str(self.run.save_checkpoint())) if saves else None
        tune.report(metrics | {self._settings.metric: self._value}, checkpoint=checkpoint)


def _adopt_checkpoint(run_folder: Path) -> bool:
    """Copy Ray Tune's checkpoint, if there is one, into the run; returns whether there is."""
    given = tune.get_checkpoint()
    if given is None:
        return False
    with given.as_directory() as path:
        CheckpointFolder(run_folder / "checkpoints").adopt(Path(path))
    return True
