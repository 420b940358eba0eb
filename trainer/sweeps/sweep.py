"""Sweeps and population-based training through Ray Tune: runs that differ in a few settings."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ray import tune
from ray.tune.schedulers import ASHAScheduler, FIFOScheduler, PopulationBasedTraining, TrialScheduler
from rich.console import Console
from rich.table import Table

from agents.files import replace_file
from agents.home import home
from trainer.config import RunConfig
from trainer.config.tuning import Domain, TuneSettings
from trainer.runs.choice import SWEEP_FILE
from trainer.runs.progress import PLAIN_SECONDS
from trainer.sweeps.checkpoints import KeptCheckpoints
from trainer.sweeps.trial import run_id_of, train_trial

RESULTS_FILE = "results.json"
EXPERIMENT = "tune"
"""The folder, within the sweep's, that is Ray Tune's own."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of one run of a sweep."""

    run: str  # its id: an ordinary run below ARCADE_HOME/runs
    sample: dict[str, Any]  # dotted setting to value, at its end
    value: float | None  # of the sweep's metric, the newest; None where it failed before the first
    step: int
    over: bool  # to its end, or ended early by the scheduler; else it was interrupted
    error: str = ""  # its last line; such a run is not over


def begin_sweep(folder: Path, base: Mapping[str, Any], settings: TuneSettings) -> None:
    """Write the sweep's settings, for `--resume`."""
    folder.mkdir(parents=True, exist_ok=True)
    domains = {
        name: {key: {domain.kind: list(domain.values)} for key, domain in getattr(settings, name).items()}
        for name in ("search", "mutations")
    }
    written = dict(base) | {"tune": settings.model_dump(mode="json") | domains}
    replace_file(folder / SWEEP_FILE, json.dumps(written, indent=1))


def run_sweep(base: Mapping[str, Any], config: RunConfig, settings: TuneSettings, *, folder: Path) -> list[TrialResult]:
    """Play all trials, the best first; needs an initialised ray.

    `base` are the settings that all have in common, `config` the same checked.  Where `folder` has a sweep that was
    broken off, that one goes on.
    """
    trainable = tune.with_resources(
        tune.with_parameters(
            train_trial, base=dict(base), home=str(home()), sweep=folder.name, metric=settings.metric,
            mode=settings.mode, interval=settings.interval,
        ),
        _resources(config),
    )  # fmt: skip
    trials: Any = _make_tuner(trainable, settings, folder).fit()
    results = [_read(trial, folder.name, settings) for trial in trials]
    ranked = sorted(results, key=lambda result: _rank(result, settings.mode))
    rows = [{name: getattr(result, name) for name in TrialResult.__slots__} for result in ranked]
    replace_file(folder / RESULTS_FILE, json.dumps(rows, indent=1))
    return ranked


class SweepLines(tune.Callback):
    """Prints a line when a trial begins, ends or fails, and one of each trial now and then."""

    def __init__(self, sweep: str, metric: str) -> None:
        self._sweep, self._metric = sweep, metric
        self._said: dict[str, float] = {}

    def on_trial_start(self, iteration: int, trials: list[Any], trial: Any, **_: Any) -> None:
        self._say(trial, "begins  " + "  ".join(f"{key} {_short(value)}" for key, value in trial.config.items()))

    def on_trial_result(self, iteration: int, trials: list[Any], trial: Any, result: dict[str, Any], **_: Any) -> None:
        if time.monotonic() - self._said.get(trial.trial_id, float("-inf")) >= PLAIN_SECONDS:
            self._said[trial.trial_id] = time.monotonic()
            self._say(trial, f"step {result['step']:,}  {self._metric} {_short(result[self._metric])}")

    def on_trial_complete(self, iteration: int, trials: list[Any], trial: Any, **_: Any) -> None:
        self._say(trial, "is over")

    def on_trial_error(self, iteration: int, trials: list[Any], trial: Any, **_: Any) -> None:
        self._say(trial, "failed")

    def _say(self, trial: Any, words: str) -> None:
        print(f"{run_id_of(self._sweep, trial.trial_id)} {words}", flush=True)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def print_results(results: list[TrialResult], settings: TuneSettings, *, console: Console | None = None) -> None:
    """A table of the runs, the best first."""
    table = Table(box=None, padding=(0, 2))
    keys = [*settings.search, *settings.mutations]
    for name in ("run", settings.metric, "step", *keys):
        table.add_column(name)
    for result in results:
        figure = "-" if result.value is None else f"{result.value:.4g}"
        table.add_row(result.run, figure, f"{result.step:,}", *(_short(result.sample.get(key)) for key in keys))
    console = console or Console()
    console.print(table)
    for result in results:
        if result.error:
            console.print(f"{result.run} failed: {result.error}", markup=False, highlight=False)
    if results and results[0].value is not None:
        console.print(f"best: {results[0].run}", markup=False, highlight=False)


def _make_tuner(trainable: Any, settings: TuneSettings, folder: Path) -> tune.Tuner:
    os.environ.setdefault("TUNE_DISABLE_AUTO_CALLBACK_LOGGERS", "1")  # each run writes its own metrics
    os.environ.setdefault("RAY_AIR_NEW_OUTPUT", "0")
    experiment = folder / EXPERIMENT
    if tune.Tuner.can_restore(str(experiment)):
        return tune.Tuner.restore(str(experiment), trainable=trainable, resume_unfinished=True, restart_errored=True)
    return tune.Tuner(
        trainable,
        param_space={key: make_domain(domain) for key, domain in (settings.search | settings.mutations).items()},
        tune_config=tune.TuneConfig(
            metric=settings.metric, mode=settings.mode, num_samples=settings.samples,
            max_concurrent_trials=settings.parallel, scheduler=make_scheduler(settings),
        ),
        run_config=tune.RunConfig(
            name=EXPERIMENT, storage_path=str(folder), verbose=0,
            callbacks=[SweepLines(folder.name, settings.metric), KeptCheckpoints()],
        ),
    )  # fmt: skip


def make_domain(domain: Domain) -> Any:
    """The domain as Ray Tune has it."""
    values = domain.values
    match domain.kind:
        case "uniform":
            return tune.uniform(*values)
        case "loguniform":
            return tune.loguniform(*values)
        case "integers":
            return tune.randint(values[0], values[1] + 1)
        case "choice":
            return tune.choice(list(values))
        case "grid":
            return tune.grid_search(list(values))


def make_scheduler(settings: TuneSettings) -> TrialScheduler:
    """Ray Tune's scheduler, counting the iterations of the runs themselves."""
    match settings.scheduler:
        case "none":
            return FIFOScheduler()
        case "asha":
            return ASHAScheduler(
                time_attr="iteration", grace_period=settings.interval, reduction_factor=settings.reduction,
                max_t=10**9,
            )  # fmt: skip
        case "pbt":
            return PopulationBasedTraining(
                time_attr="iteration", perturbation_interval=settings.interval,
                hyperparam_mutations={key: _mutation(domain) for key, domain in settings.mutations.items()},
                custom_explore_fn=_clipper(settings.mutations),
            )  # fmt: skip


def _mutation(domain: Domain) -> Any:
    return list(domain.values) if domain.kind == "choice" else make_domain(domain)


def _clipper(mutations: Mapping[str, Domain]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Clip mutated values: Ray multiplies them and may leave the bounds."""
    return lambda sample: sample | {key: domain.clip(sample[key]) for key, domain in mutations.items()}


def _resources(config: RunConfig) -> tune.PlacementGroupFactory:
    own = config.resources
    driver = {"CPU": 1.0} | ({"GPU": own.gpus_per_learner} if own.gpus_per_learner and not own.learners else {})
    learner = {"CPU": own.cpus_per_learner} | ({"GPU": own.gpus_per_learner} if own.gpus_per_learner else {})
    return tune.PlacementGroupFactory(
        [driver, *[{"CPU": own.cpus_per_runner}] * own.runners, *[learner] * own.learners], strategy="PACK"
    )


def _read(trial: Any, sweep: str, settings: TuneSettings) -> TrialResult:
    metrics = trial.metrics or {}
    value = metrics.get(settings.metric)
    value = value if value is not None and math.isfinite(value) else None
    return TrialResult(
        run=run_id_of(sweep, metrics.get("trial_id", "")), sample=dict(trial.config or {}),
        value=value if value is None else float(value), step=int(metrics.get("step", 0)),
        over=bool(metrics.get("done", False)),
        error=str(trial.error).splitlines()[-1] if trial.error else "",
    )  # fmt: skip


def _rank(result: TrialResult, mode: str) -> tuple[bool, float, str]:
    value = result.value or 0.0
    return result.value is None, -value if mode == "max" else value, result.run
