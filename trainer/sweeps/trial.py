"""One trial of a sweep: an ordinary run, in a process of Ray Tune's, that reports every iteration."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ray import tune

from agents.home import folder
from agents.run_lock import RunBusy, RunLock
from agents.snapshots.store import open_store
from trainer.config import RunConfig
from trainer.config.reading import make_config
from trainer.config.tuning import with_sample
from trainer.league.placement import Placement, open_ladder
from trainer.runs.checkpoint import CheckpointFolder, metric_of
from trainer.runs.choice import find_installed
from trainer.runs.control import RunControl, TrainerServer
from trainer.runs.progress import Progress
from trainer.runs.resolve import apply_kwargs
from trainer.runs.training import TrainingRun

LOCK_SECONDS = 60.0
"""For the process that had the run before to end."""


def run_id_of(sweep: str, trial_id: str) -> str:
    """The run of a trial, by the running number that Ray Tune's id ends with."""
    return f"{sweep}-{int(trial_id.rpartition('_')[2] or 0):02d}"


def train_trial(
    sample: Mapping[str, Any], *, base: dict[str, Any], home: str, sweep: str, metric: str, mode: str, interval: int
) -> None:
    """Called by Ray Tune; in population-based training again with another sample, and the checkpoint to start from."""
    os.environ["ARCADE_HOME"] = home
    run_id = run_id_of(sweep, tune.get_context().get_trial_id())
    config = make_config(with_sample(base, sample) | {"run": run_id})
    screen = TuneScreen(metric, worst=float("-inf") if mode == "max" else float("inf"), every=interval)
    with _take_lock(folder("runs") / run_id):
        _train(config, screen)


class TuneScreen(Progress):
    """Reports the metrics of every iteration to Ray Tune, and checkpoints with some of them."""

    run: TrainingRun

    def __init__(self, metric: str, *, worst: float, every: int) -> None:
        super().__init__("trial")
        self._metric, self._value, self._every = metric, worst, every

    def say(self, line: str) -> None:
        print(line, flush=True)

    def show(self, metrics: dict[str, Any], *_: Any, **__: Any) -> None:
        """Ray Tune ends the thread in here to stop the trial."""
        value = metric_of(metrics, self._metric)
        self._value = self._value if value is None else value
        report, checkpoint = metrics | {self._metric: self._value}, None
        if metrics["iteration"] % self._every == 0:
            checkpoint = tune.Checkpoint.from_directory(str(self.run.save_checkpoint()))
        tune.report(report, checkpoint=checkpoint)


def _take_lock(run_folder: Path) -> RunLock:
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return RunLock(run_folder)
        except RunBusy:
            if time.monotonic() > end:
                raise


def _train(config: RunConfig, screen: TuneScreen) -> None:
    spec = apply_kwargs(config, find_installed(config.game))
    run_folder, control = folder("runs") / config.run, RunControl()
    resume = _adopt_checkpoint(run_folder)
    with TrainerServer(control) as server, open_ladder() as ladder:
        run = screen.run = TrainingRun(
            config, spec, folder=run_folder, store=open_store(), control=control, server=server,
            progress=screen, placement=Placement(spec, ladder, games=config.freeze.placement_games), resume=resume,
            command="a trial of a sweep",
        )  # fmt: skip
        try:
            run.run()
        finally:
            run.close()


def _adopt_checkpoint(run_folder: Path) -> bool:
    """Copy the checkpoint that Ray Tune gives into the run; returns whether there is one."""
    given = tune.get_checkpoint()
    if given is None:
        return False
    with given.as_directory() as path:
        CheckpointFolder(run_folder / "checkpoints").adopt(Path(path))
    return True
