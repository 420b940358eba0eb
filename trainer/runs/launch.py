"""Launches runs and sweeps: checks, ray, control server, terminal, signals and the lock of the folder."""

from __future__ import annotations

import contextlib
import importlib.util
import math
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agents.run_lock import RunLock
from arcade.games.spec import GameSpec
from trainer.cluster.ray_cluster import cluster_address, give_way, host_resources, is_ray_running, start_ray, stop_ray
from trainer.config import ConfigError, RunConfig
from trainer.runs.choice import Chosen

if TYPE_CHECKING:
    from rich.console import Console

    from trainer.runs.control import TrainerServer
    from trainer.runs.training import TrainingRun

PACKAGES = ("ray", "torch", "onnx", "tensorboardX")
"""Packages of the extra ``train`` that every run needs."""


class StoppedEarly(BaseException):
    """Stopped before the training began; not an Exception, so that no error handler catches it."""


def check_packages() -> None:
    """Raises ConfigError where the trainer's own packages are not installed."""
    if absent := [name for name in PACKAGES if importlib.util.find_spec(name) is None]:
        raise ConfigError(
            f"expected the trainer's packages, {', '.join(absent)} among them, got none; "
            "install them: pip install 'pettingzoo-arcade[train]'"
        )


def _prepare(chosen: Chosen, *, dry_run: bool = False) -> GameSpec:
    """Set this process's priority, and `check` the settings."""
    check_packages()
    give_way(chosen.config.resources.nice, threads=chosen.config.resources.threads)
    return check(chosen, imports=not dry_run)


def check(chosen: Chosen, *, imports: bool) -> GameSpec:
    """Check the settings against the game, and against this machine unless a cluster is used; raises UserError.

    Returns the game with the run's arguments.  A dry run imports no code of opponents.
    """
    from agents.snapshots.store import open_store
    from trainer.runs.checks import apply_kwargs, check_game, check_resources

    if not cluster_address(chosen.config):
        check_resources(chosen.config, host_resources(), trials=chosen.tune.parallel if chosen.tune else 1)
    spec = apply_kwargs(chosen.config, chosen.spec)
    check_game(chosen.config, spec, open_store(), imports=imports)
    return spec


def look_ahead(chosen: Chosen) -> dict[str, Any]:
    """Describe the run without starting it; a cluster is asked for its resources."""
    config, spec = chosen.config, _prepare(chosen, dry_run=True)
    if cluster_address(config):
        try:
            start_ray(config)
            _check_cluster(config)
        finally:
            stop_ray()
    return describe(config, spec)


def describe(run: RunConfig, spec: GameSpec) -> dict[str, Any]:
    """``config``, ``game``, ``policies`` and ``rllib``, which is AlgorithmConfig.to_dict()."""
    from arcade.match.batch.make import make_vector_env
    from trainer.algorithms.make import make_algorithm_config
    from trainer.sampling.plan import make_plan

    with make_vector_env(spec, 1) as env:
        plan = make_plan(run.policies, env, league=run.opponents.league)
        rllib = make_algorithm_config(run, spec, env).to_dict()
    teams = [[str(agent) for agent in team] for team in spec.teams]
    return {
        "config": run.model_dump(mode="json"),
        "game": {"id": spec.id, "teams": teams, "kwargs": plain(spec.kwargs)},
        "policies": {
            policy.id: {
                "agents": [str(agent) for agent in policy.agents],
                "learns": policy.id in plan.trained,
                "observation_space": str(policy.observation_space),
                "action_space": str(policy.action_space),
                "masked": policy.masked,
            }
            for policy in plan.policies
        },
        "rllib": plain(rllib),
    }


def plain(value: Any) -> Any:
    """`value` in types of JSON: classes and functions by name, others as text."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner) for inner in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    name = getattr(value, "__qualname__", "")
    return f"{value.__module__}.{name}" if name else str(value)


def _check_cluster(config: RunConfig) -> None:
    import ray

    from trainer.runs.checks import check_resources

    if address := cluster_address(config):
        check_resources(config, ray.cluster_resources(), where=f"the cluster at {address}")


def play(chosen: Chosen, *, parent: int = 0, command: str = "", console: Console | None = None) -> TrainingRun:
    """Train to the end, and return the closed run.

    The end of process `parent` stops it, and so do SIGINT, SIGTERM and SIGHUP after the current iteration.  Raises
    UserError where it cannot begin or continue, RunBusy where another process trains it, StoppedEarly for a signal
    before it began.
    """
    spec = _prepare(chosen)
    from agents.ladder.ladder import open_ladder
    from agents.snapshots.store import open_store
    from trainer.runs.control import TrainerServer
    from trainer.runs.progress import Progress

    config, joined = chosen.config, is_ray_running()
    with (
        RunLock(chosen.folder),
        _restored_signals(),
        TrainerServer(follow=parent) as server,
        Progress(f"{spec.title}  {chosen.folder.name}", target=config.steps, console=console) as progress,
    ):
        _stop_on_signals(server, at_once=True)
        progress.say(f"training {spec.id}: run {chosen.folder.name} in {chosen.folder}")
        try:
            try:
                with _noted_signals(server):
                    start_ray(config)
            except SystemExit as error:  # ray's own signal handler raises it
                raise StoppedEarly from error
            _stop_on_signals(server, at_once=True)  # ray has replaced the handlers
            _check_cluster(config)
            from trainer.runs.training import TrainingRun

            with TrainingRun(
                config, spec, folder=chosen.folder, store=open_store(), ladder=open_ladder(), server=server,
                progress=progress, command=command, resume=chosen.resume, from_best=chosen.from_best,
            ) as run:  # fmt: skip
                _stop_on_signals(server)
                run.run()
            progress.say(f"stopped at step {run.step:,}; resume it with: --resume {run.run_id}")
            return run
        finally:
            if not joined and not isinstance(sys.exception(), StoppedEarly):
                stop_ray()  # a cluster that the caller has joined is the caller's to leave


def sweep(chosen: Chosen) -> bool:
    """Run the trials of a sweep and print their results; returns whether none failed.  Raises UserError."""
    _prepare(chosen)
    from trainer.runs.progress import LastingConsole
    from trainer.sweeps import TrialResult, begin_sweep, print_results, run_sweep

    assert chosen.tune is not None
    console, results = LastingConsole(), list[TrialResult]()
    console.print(f"sweep {chosen.folder.name} in {chosen.folder}", highlight=False, soft_wrap=True)
    try:
        with RunLock(chosen.folder):
            start_ray(chosen.config, trials=chosen.tune.parallel)  # replaces signal handlers
            signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getpid(), signal.SIGINT))  # Ray Tune ends in order then
            _check_cluster(chosen.config)
            begin_sweep(chosen.folder, chosen.base, chosen.tune)
            results = run_sweep(chosen.base, chosen.config, chosen.tune, folder=chosen.folder)
            print_results(results, chosen.tune, console=console)
    except KeyboardInterrupt:
        results = []
    finally:
        stop_ray()
    if not results or not all(result.over for result in results):
        words = f"stopped before all trials ended; resume it with: --resume {chosen.folder.name}"
        console.print(words, highlight=False)
    return not any(result.error for result in results)


@contextlib.contextmanager
def _restored_signals() -> Iterator[None]:
    """Restore the signal handlers afterwards, for programs that continue."""
    before = {number: signal.getsignal(number) for number in _signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _noted_signals(server: TrainerServer) -> Iterator[None]:
    """Request the stop afterwards if a signal came, also one that another handler took.

    While ray starts, its own handler raises SystemExit, which Python drops inside a callback such as one after a fork.
    """
    if not _signals():
        yield
        return
    reader, writer = socket.socketpair()
    with reader, writer:
        reader.setblocking(False)
        writer.setblocking(False)
        before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            with contextlib.suppress(BlockingIOError):
                if set(_signals()) & set(reader.recv(4096)):
                    server.request("stop")


def _signals() -> tuple[signal.Signals, ...]:
    """The signals that stop a run; only the main thread can handle any."""
    is_main = threading.current_thread() is threading.main_thread()
    return (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) if is_main else ()


def _stop_on_signals(server: TrainerServer, *, at_once: bool = False) -> None:
    """Stop on a signal: after the current iteration, or `at_once` before the training begins."""

    def stop(*_: object) -> None:
        server.request("stop")
        if at_once:
            raise StoppedEarly

    for number in _signals():
        signal.signal(number, stop)
    if at_once and server.stop:
        raise StoppedEarly
