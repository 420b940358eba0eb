"""Everything around a run: checks before it, ray, control server, screen, signals and the lock of its folder."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from agents.run_lock import RunLock
from trainer.cluster.machine import give_way
from trainer.cluster.machine import resources as machine_resources
from trainer.config import ConfigError, RunConfig
from trainer.runs.choice import Chosen

if TYPE_CHECKING:
    from rich.console import Console

    from trainer.runs.control import RunControl
    from trainer.runs.resolve import Resolved
    from trainer.runs.training import TrainingRun

PACKAGES = ("ray", "torch", "onnx", "tensorboardX")
"""What the extra ``train`` brings and a run cannot do without."""


class StoppedEarly(BaseException):
    """Asked to stop while nothing was trained yet; not an Exception, so that no error handler catches it."""


def check_packages() -> None:
    """Raises ConfigError where the trainer's own packages are not installed."""
    absent = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if absent:
        raise ConfigError(
            f"expected the trainer's packages, {', '.join(absent)} among them, got none; "
            "install them: pip install 'pettingzoo-arcade[train]'"
        )


def prepare(chosen: Chosen, *, dry_run: bool = False) -> Resolved:
    """Check that the run can begin, and lower this process's priority as its settings say; raises UserError."""
    check_packages()
    give_way(chosen.config.resources.nice, threads=chosen.config.resources.threads)
    return check(chosen, imports=not dry_run)


def check(chosen: Chosen, *, imports: bool) -> Resolved:
    """Check the settings against the game, and against this machine unless a cluster is used; raises UserError.

    A dry run imports no code of opponents.
    """
    from agents.snapshots.search import open_store
    from trainer.cluster.ray_cluster import cluster_address
    from trainer.runs.resolve import apply_kwargs, check_resources, resolve

    if not cluster_address(chosen.config):
        check_resources(chosen.config, machine_resources(), trials=chosen.tune.parallel if chosen.tune else 1)
    spec = apply_kwargs(chosen.config, chosen.spec)
    return resolve(chosen.config, spec, open_store(), imports=imports)


def look_ahead(config: RunConfig, resolved: Resolved) -> dict[str, Any]:
    """Describe what the run would be; asks the cluster that it would join for its resources."""
    from trainer.cluster.ray_cluster import cluster_address, start_ray, stop_ray
    from trainer.runs.dry_run import describe

    if cluster_address(config):
        try:
            start_ray(config)
            _check_cluster(config)
        finally:
            stop_ray()
    return describe(config, resolved)


def _check_cluster(config: RunConfig) -> None:
    from trainer.cluster.ray_cluster import cluster_address, cluster_resources
    from trainer.runs.resolve import check_resources

    if address := cluster_address(config):
        check_resources(config, cluster_resources(), where=f"the cluster at {address}")


def play(
    chosen: Chosen, resolved: Resolved, *, parent: int = 0, command: str = "", console: Console | None = None
) -> TrainingRun:
    """Train to the end with a control server, a screen and ray around it; the run comes back closed.

    The end of process `parent` stops it, and so do SIGINT, SIGTERM and SIGHUP after the iteration under way.  Raises
    UserError where it cannot begin or continue, RunBusy where another process trains it, StoppedEarly for a signal
    before it began.
    """
    from trainer.cluster.ray_cluster import start_ray, stop_ray
    from trainer.runs.control import RunControl, TrainerServer
    from trainer.runs.progress import Progress

    control, spec, run_id = RunControl(), resolved.spec, chosen.folder.name
    with (
        locked(chosen),
        _signals_kept(),
        TrainerServer(control, follow=parent) as server,
        Progress(f"{spec.title}  {run_id}", target=chosen.config.steps, console=console) as progress,
    ):
        _stop_on_signals(control, at_once=True)
        progress.say(f"training {spec.id}: run {run_id} in {chosen.folder}")
        try:
            _unless_stopped(start_ray, chosen.config)
            _stop_on_signals(control, at_once=True)  # ray has put its own handlers there
            _check_cluster(chosen.config)
            run = _make_run(chosen, resolved, command=command, control=control, server=server, progress=progress)
            _stop_on_signals(control)
            try:
                run.run()
            finally:
                run.close()
            progress.say(f"stopped at step {run.step:,}; resume it with: --resume {run.run_id}")
            return run
        finally:
            if not isinstance(sys.exception(), StoppedEarly):
                stop_ray()


def sweep(chosen: Chosen) -> bool:
    """Play the trials of a sweep and show what came of them; returns whether none failed.  Raises UserError."""
    from trainer.cluster.ray_cluster import start_ray, stop_ray
    from trainer.runs.progress import LastingConsole
    from trainer.sweeps.sweep import begin_sweep, print_results, run_sweep

    assert chosen.tune is not None
    console = LastingConsole()
    console.print(f"sweep {chosen.folder.name} in {chosen.folder}", highlight=False, soft_wrap=True)
    try:
        with locked(chosen):
            start_ray(chosen.config, trials=chosen.tune.parallel)  # puts handlers of its own there
            signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getpid(), signal.SIGINT))  # Ray Tune ends in order then
            _check_cluster(chosen.config)
            begin_sweep(chosen.folder, chosen.base, chosen.tune)
            results = run_sweep(chosen.base, chosen.config, chosen.tune, folder=chosen.folder)
            print_results(results, chosen.tune, console=console)
            if not all(result.over for result in results):
                _say_stopped(console, chosen)
            return not any(result.error for result in results)
    except KeyboardInterrupt:
        _say_stopped(console, chosen)
        return True
    finally:
        stop_ray()


@contextlib.contextmanager
def locked(chosen: Chosen) -> Iterator[None]:
    """Hold the run's folder; raises RunBusy where another process does."""
    lock = RunLock(chosen.folder)
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Restore the signal handlers afterwards, for programs that continue."""
    if not _takes_signals():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def _takes_signals() -> bool:
    """Python hands signals to the main thread alone."""
    return threading.current_thread() is threading.main_thread()


def _say_stopped(console: Any, chosen: Chosen) -> None:
    console.print(f"stopped before all runs were over; resume it with: --resume {chosen.folder.name}", highlight=False)


def _unless_stopped(start: Callable[[RunConfig], None], config: RunConfig) -> None:
    """Turn SystemExit, which ray's own signal handler raises, into StoppedEarly."""
    try:
        start(config)
    except SystemExit as error:
        raise StoppedEarly from error


def _stop_on_signals(control: RunControl, *, at_once: bool = False) -> None:
    """Stop on a signal: after the iteration under way, or `at_once` while nothing is trained yet."""

    def stop(*_: object) -> None:
        control.request("stop")
        if at_once:
            raise StoppedEarly

    for number in SIGNALS if _takes_signals() else ():
        signal.signal(number, stop)
    if at_once and control.stop:
        raise StoppedEarly


def _make_run(chosen: Chosen, resolved: Resolved, **around: Any) -> TrainingRun:
    """The run, ready to begin; raises UserError."""
    from agents.snapshots.search import open_store
    from trainer.league.placement import Placement, open_ladder
    from trainer.runs.training import TrainingRun

    spec = resolved.spec
    placement = Placement(spec, open_ladder(), games=chosen.config.freeze.placement_games)
    return TrainingRun(
        chosen.config, spec, folder=chosen.folder, store=open_store(), placement=placement,
        resume=chosen.resume, from_best=chosen.from_best, **around,
    )  # fmt: skip
