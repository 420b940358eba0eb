"""Sweeps and population-based training by Ray Tune: runs that differ in a few settings."""

from __future__ import annotations

import json
import math
import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar

from ray import tune
from ray.tune.schedulers import ASHAScheduler, FIFOScheduler, PopulationBasedTraining, TrialScheduler
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from agents.files import folder, home, replace_file
from agents.ladder.ladder import open_ladder
from agents.run_lock import RunLock
from agents.seal import check_seal, is_made_here, sign_origin
from agents.snapshots.store import open_store
from arcade.commands.terminal import make_table
from trainer.config import ConfigError, RunConfig
from trainer.config.reading import make_config
from trainer.config.tuning import Domain, TuneSettings, with_sample
from trainer.runs.checkpoint import CheckpointFolder, metric_of
from trainer.runs.checks import apply_kwargs
from trainer.runs.choice import SWEEP_FILE, find_installed
from trainer.runs.control import TrainerServer
from trainer.runs.progress import PLAIN_SECONDS, Progress, left_text, print_event
from trainer.runs.training import TrainingRun

RESULTS_FILE = "results.json"
EXPERIMENT = "tune"
"""Ray Tune's own folder, in that of the sweep."""

KEPT_CHECKPOINTS = 4
"""The newest of each trial: another trial may be about to resume from one that has just been replaced."""

_DOMAINS: dict[str, Callable[..., Any]] = {
    "uniform": tune.uniform,
    "loguniform": tune.loguniform,
    "integers": lambda low, high: tune.randint(low, high + 1),
    "choice": lambda *values: tune.choice(list(values)),
    "grid": lambda *values: tune.grid_search(list(values)),
}

LOCK_SECONDS = 60.0
"""The most seconds to wait for the run's previous process to end."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of one run of a sweep."""

    run: str  # id of an ordinary run in ARCADE_HOME/runs
    sample: dict[str, Any]  # dotted setting to its last value
    value: float | None  # the newest of the sweep's metric; None if it failed before the first
    step: int
    over: bool  # completed, or ended early by the scheduler; False if interrupted or failed
    error: str = ""  # its last line


def begin_sweep(folder: Path, base: Mapping[str, Any], settings: TuneSettings, *, trust: bool = False) -> None:
    """Write the sweep's settings, for `--resume`.

    Ray Tune pickles its state, and reading that can run any code: raises ConfigError where it was not written on this
    machine, unless with `trust`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / EXPERIMENT).exists() and not trust and not is_made_here(folder):
        raise ConfigError(
            f"expected a sweep that this machine began, got: {folder}, which is older or foreign; it holds pickles, "
            "which can run any code; if you trust where it comes from: --trust-checkpoint"
        )
    sign_origin(folder)
    domains = {
        name: {key: {domain.kind: list(domain.values)} for key, domain in getattr(settings, name).items()}
        for name in ("search", "mutations")
    }
    written = dict(base) | {"tune": settings.model_dump(mode="json") | domains}
    replace_file(folder / SWEEP_FILE, json.dumps(written, indent=1))


def run_sweep(base: Mapping[str, Any], config: RunConfig, settings: TuneSettings, *, folder: Path) -> list[TrialResult]:
    """Run all trials and return their results, the best first; needs an initialised ray.

    `base` are the settings that all trials share, `config` the same validated.  Resumes a sweep that ended early in
    `folder`.
    """
    trainable = tune.with_resources(
        tune.with_parameters(
            train_trial, base=dict(base), home=str(home()), sweep=folder.name, settings=settings
        ),
        _resources(config),
    )  # fmt: skip
    trials: Any = _make_tuner(trainable, settings, folder).fit()
    # The metrics of a restored trial may lack `done`; the saved status of the trial is complete.
    states = {trial.trial_id: trial.status for trial in tune.ExperimentAnalysis(str(folder / EXPERIMENT)).trials or ()}
    results = [_read(trial, folder.name, settings, states) for trial in trials]
    ranked = sorted(results, key=lambda result: _rank(result, settings.mode))
    replace_file(folder / RESULTS_FILE, json.dumps([asdict(result) for result in ranked], indent=1))
    return ranked


class TrialCheckpoints(tune.Callback):
    """Deletes the older checkpoints of a trial as new ones come.

    Ray Tune's own `num_to_keep` counts a checkpoint that one trial resumes from another as both trials' own: the trial
    that deletes it second fails and loses its checkpoints (ray 2.60, CheckpointManager.register_checkpoint).
    """

    def on_checkpoint(self, iteration: int, trials: list[Any], trial: Any, checkpoint: Any, **_: Any) -> None:
        folder = Path(checkpoint.path).parent
        by_age = sorted(folder.glob("checkpoint_*"), key=lambda path: path.stat().st_mtime)
        for old in by_age[:-KEPT_CHECKPOINTS]:
            shutil.rmtree(old, ignore_errors=True)  # leftovers are deleted with the sweep's folder


class SweepBar(Bar):
    """A bar over the trials with the time left, on a terminal; lines are printed above it."""

    def __init__(self, console: Console) -> None:
        columns = (TextColumn("trials"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}"))
        super().__init__(*columns, console=console, disable=console.quiet or not console.is_terminal, transient=True)
        self._trials = self.add_task("trials", total=None, left="")

    def show(self, ended: int, trials: int, left: str) -> None:
        """Show how many of the trials have ended, and the time left in words."""
        self.update(self._trials, completed=ended, total=trials, left=left)


class SweepLog(tune.Callback):
    """Prints a line when a trial begins, ends or fails, and regularly one of each trial with the sweep's time left."""

    as_json: ClassVar = False
    bar: ClassVar[SweepBar | None] = None
    """Both of this process: Ray Tune pickles the callbacks of a sweep and brings them back when it is resumed."""

    def __init__(self, sweep: str, settings: TuneSettings) -> None:
        self._sweep, self._metric, self._parallel = sweep, settings.metric, settings.parallel
        self._trials = settings.trials
        self._printed: dict[str, float] = {}
        self._times: dict[str, tuple[float, float]] = {}  # of a trial: seconds so far, seconds left
        self._ended: set[str] = set()

    @property
    def seconds_left(self) -> int | None:
        """Until the last trial ends, if those to come take as long as the others; None before the first result."""
        if not self._times:
            return None
        whole = fmean(spent + left for spent, left in self._times.values())
        waiting = self._trials - len(self._ended | self._times.keys())
        lefts = [left for _, left in self._times.values()] + [whole] * waiting
        return round(max(*lefts, sum(lefts) / self._parallel))

    def on_trial_start(self, iteration: int, trials: list[Any], trial: Any, **_: Any) -> None:
        words = "begins  " + "  ".join(f"{key} {_short(value)}" for key, value in trial.config.items())
        self._print(trial, words, state="starting", settings=dict(trial.config))

    def on_trial_result(self, iteration: int, trials: list[Any], trial: Any, result: dict[str, Any], **_: Any) -> None:
        spent, left = result["time_total_s"], result["seconds_left"]
        if left is not None:
            self._times[trial.trial_id] = spent, left
        self._show()
        if time.monotonic() - self._printed.get(trial.trial_id, float("-inf")) >= PLAIN_SECONDS:
            self._printed[trial.trial_id] = time.monotonic()
            step, value = result["step"], result[self._metric]
            seconds = self.seconds_left
            words = f"step {step:,}  {self._metric} {_short(value)}  sweep left {left_text(seconds)}"
            metrics = {"step": step, self._metric: value}
            self._print(trial, words, state="running", sweep_seconds_left=seconds, metrics=metrics)

    def on_trial_complete(self, iteration: int, trials: list[Any], trial: Any, **_: Any) -> None:
        self._end(trial)
        self._print(trial, "is over", state="over")

    def on_trial_error(self, iteration: int, trials: list[Any], trial: Any, **_: Any) -> None:
        self._end(trial)
        self._print(trial, "failed", state="failed")

    def _end(self, trial: Any) -> None:
        self._ended.add(trial.trial_id)
        if trial.trial_id in self._times:
            self._times[trial.trial_id] = self._times[trial.trial_id][0], 0.0
        self._show()

    def _show(self) -> None:
        if self.bar is not None:
            self.bar.show(len(self._ended), self._trials, left_text(self.seconds_left))

    def _print(self, trial: Any, text: str, **facts: Any) -> None:
        run = run_id_of(self._sweep, trial.trial_id)
        if self.as_json:
            return print_event("progress", run=run, **facts)
        print(f"{run} {text}", flush=True)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def print_results(results: list[TrialResult], settings: TuneSettings, *, console: Console | None = None) -> None:
    """Print a table of the runs, the best first."""
    keys, console = [*settings.search, *settings.mutations], console or Console()
    rows = (
        [r.run, "-" if r.value is None else _short(r.value), f"{r.step:,}", *(_short(r.sample.get(k)) for k in keys)]
        for r in results
    )
    console.print(make_table(["run", f">{settings.metric}", ">step", *keys], rows))
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
            callbacks=[SweepLog(folder.name, settings), TrialCheckpoints()],
        ),
    )  # fmt: skip


def make_domain(domain: Domain) -> Any:
    """The domain in Ray Tune's terms."""
    return _DOMAINS[domain.kind](*domain.values)


def make_scheduler(settings: TuneSettings) -> TrialScheduler:
    """Ray Tune's scheduler, by the iterations of the runs."""
    match settings.scheduler:
        case "none":
            return FIFOScheduler()
        case "asha":
            return ASHAScheduler(
                time_attr="iteration", grace_period=settings.interval, reduction_factor=settings.reduction, max_t=10**9
            )
        case "pbt":
            domains = settings.mutations
            return PopulationBasedTraining(
                time_attr="iteration", perturbation_interval=settings.interval,
                hyperparam_mutations={
                    key: list(domain.values) if domain.kind == "choice" else make_domain(domain)
                    for key, domain in domains.items()
                },
                # Ray multiplies values and may leave their bounds.
                custom_explore_fn=lambda sample: sample | {key: domains[key].clip(sample[key]) for key in domains},
            )  # fmt: skip


def _resources(config: RunConfig) -> tune.PlacementGroupFactory:
    own = config.resources
    gpus = {"GPU": own.gpus_per_learner} if own.gpus_per_learner else {}
    driver = {"CPU": 1.0} | ({} if own.learners else gpus)
    learners = [{"CPU": own.cpus_per_learner} | gpus] * own.learners
    return tune.PlacementGroupFactory([driver, *[{"CPU": own.cpus_per_runner}] * own.runners, *learners])


def _read(trial: Any, sweep: str, settings: TuneSettings, states: Mapping[str, str]) -> TrialResult:
    metrics = trial.metrics or {}
    value = float(metrics.get(settings.metric, math.nan))
    return TrialResult(
        run=run_id_of(sweep, metrics.get("trial_id", "")), sample=dict(trial.config or {}),
        value=value if math.isfinite(value) else None, step=int(metrics.get("step", 0)),
        over=states.get(metrics.get("trial_id", "")) == "TERMINATED",
        error=str(trial.error).splitlines()[-1] if trial.error else "",
    )  # fmt: skip


def _rank(result: TrialResult, mode: str) -> tuple[bool, float, str]:
    value = result.value or 0.0
    return result.value is None, -value if mode == "max" else value, result.run


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
    report = TuneReport(settings, target=config.steps, minutes=config.minutes)
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

    def __init__(self, settings: TuneSettings, *, target: int, minutes: float) -> None:
        super().__init__("trial", target=target, minutes=minutes)
        self._settings, self._value = settings, float("-inf") if settings.mode == "max" else float("inf")

    def say(self, line: str) -> None:
        print(line, flush=True)

    def show(self, metrics: dict[str, Any], *_: Any, **__: Any) -> None:
        """Report; Ray Tune ends the thread here to stop the trial."""
        saves = metrics["iteration"] % self._settings.interval == 0
        if saves and metric_of(metrics, self._settings.metric) is None:
            metrics = metrics | self.run.measure()  # trials are compared by their policies of this moment
        value = metric_of(metrics, self._settings.metric)
        self._value = self._value if value is None else value
        saved = self.run.save_checkpoint() if saves else None
        checkpoint = tune.Checkpoint.from_directory(str(saved)) if saved else None
        facts = {self._settings.metric: self._value, "seconds_left": self.seconds_left(metrics)}
        tune.report(metrics | facts, checkpoint=checkpoint)


def _adopt_checkpoint(run_folder: Path) -> bool:
    """Copy Ray Tune's checkpoint, if there is one, into the run; returns whether there is."""
    given = tune.get_checkpoint()
    if given is None:
        return False
    with given.as_directory() as path:
        check_seal(Path(path))
        CheckpointFolder(run_folder / "checkpoints").adopt(Path(path))
    return True
