"""Launches runs and sweeps: checks, ray, control server, terminal, signals and the lock of the folder."""

from __future__ import annotations

import importlib.util
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import Console

from agents.run_lock import RunLock
from agents.trust import trust
from arcade.games.spec import GameSpec
from trainer.cluster.ray_cluster import (
    cluster_address,
    give_way,
    host_resources,
    is_ray_running,
    memory_bytes,
    start_ray,
    stop_ray,
)
from trainer.config import ConfigError, RunConfig
from trainer.config.reading import running_words
from trainer.runs.choice import Chosen
from trainer.runs.plain_data import plain
from trainer.runs.progress import JsonProgress, LastingConsole, Progress, print_event
from trainer.runs.stopping import End, Stop, StoppedAtOnce, StoppedEarly, StopSignals

if TYPE_CHECKING:
    from agents.snapshots.store import SnapshotStore
    from trainer.runs.control import TrainerServer
    from trainer.runs.training import TrainingRun

PACKAGES = ("ray", "torch", "onnx", "tensorboardX")
"""Packages of the extra ``train`` that every run needs."""

SWEEP_GRACE = 5.0
"""Seconds for a sweep that is stopped while ray starts to end it."""


def check_packages() -> None:
    """Raises ConfigError where the trainer's own packages are not installed."""
    if absent := [name for name in PACKAGES if importlib.util.find_spec(name) is None]:
        raise ConfigError(
            f"expected the trainer's packages, {', '.join(absent)} among them, got none; "
            "install them: pip install 'pettingzoo-arcade[train]'",
            code="not_installed",
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

    is_local = not cluster_address(chosen.config)
    if is_local:
        check_resources(chosen.config, host_resources(), trials=chosen.tune.parallel if chosen.tune else 1)
    spec = apply_kwargs(chosen.config, chosen.spec)
    check_game(chosen.config, spec, open_store(), imports=imports, memory=memory_bytes() if is_local else 0)
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


def _check_cluster(config: RunConfig) -> None:
    import ray

    from trainer.runs.checks import check_resources

    if address := cluster_address(config):
        check_resources(config, ray.cluster_resources(), where=f"the cluster at {address}")


def play(
    chosen: Chosen, *, parent: int = 0, listen: str = "", insecure: bool = False, command: str = "",
    show: Callable[[Chosen], Progress], end: End | None = None, store: SnapshotStore | None = None,
) -> TrainingRun:  # fmt: skip
    """Train to the end, and return the closed run.  `listen` and `insecure` are those of TrainerServer.

    With a `store` its snapshots go there, no match counts on the ladder, and it is not to be resumed.

    `show` makes what shows the progress; `end` is that of StopSignals.

    The end of process `parent` stops it, and so do SIGINT, SIGTERM and a closed terminal, after the current iteration,
    which is cut off where it takes seconds.  Raises UserError where it cannot begin or continue, RunBusy where another
    process trains it, StoppedEarly for a signal before it began, StoppedAtOnce for a second one of its kind.
    """
    spec = _prepare(chosen)
    trust(running_words(chosen.config.model_dump(mode="json")))
    from agents.ladder.ladder import open_ladder
    from agents.snapshots.store import open_store

    config, joined = chosen.config, is_ray_running()
    with (
        RunLock(chosen.folder),
        _open_server(parent, listen, insecure=insecure) as server,
        StopSignals(server, end=end) as signals,
        show(chosen) as progress,
    ):
        if store is None:
            progress.say(f"training {spec.id}: run {chosen.folder.name} in {chosen.folder}")
        try:
            progress.load("starting Ray")
            _start_ray(config, signals)
            _check_cluster(config)
            progress.load("making games and networks")
            from trainer.runs.training import TrainingRun

            with TrainingRun(
                config, spec, folder=chosen.folder, store=store or open_store(),
                ladder=open_ladder() if store is None else None, server=server, progress=progress, command=command,
                resume=chosen.resume, from_best=chosen.from_best, trust_checkpoint=chosen.trust_checkpoint,
            ) as run:  # fmt: skip
                signals.begin()
                progress.load("playing the first iteration")
                run.run(signals.iteration)
            if store is None:
                progress.say(f"stopped at step {run.step:,}; resume it with: --resume {run.run_id}")
            return run
        finally:
            if not joined and not isinstance(sys.exception(), (StoppedEarly, StoppedAtOnce)):
                stop_ray()  # a cluster that the caller has joined is the caller's to leave


def _start_ray(config: RunConfig, signals: StopSignals, *, trials: int = 1) -> None:
    """Raises StoppedEarly for a signal, although ray replaces the handlers."""
    try:
        start_ray(config, trials=trials)
    except SystemExit as error:  # ray's own signal handler raises it
        raise StoppedEarly from error
    signals.take()


def show_in_terminal(chosen: Chosen) -> Progress:
    """A live screen, or lines where the output is no terminal."""
    return Progress(
        f"{chosen.spec.title}  {chosen.folder.name}", target=chosen.config.steps, minutes=chosen.config.minutes
    )


def show_nothing(_: Chosen) -> Progress:
    """For callers that have no terminal."""
    return Progress("", console=Console(quiet=True, force_terminal=False))


def show_as_json(chosen: Chosen) -> Progress:
    """One JSON object a line."""
    return JsonProgress(chosen.folder.name, target=chosen.config.steps, minutes=chosen.config.minutes)


def _open_server(parent: int, listen: str, *, insecure: bool) -> TrainerServer:
    from trainer.runs.control import TrainerServer

    if insecure and not listen:
        raise ConfigError("expected --listen tcp://HOST:PORT with --insecure, got none")
    try:
        return TrainerServer(follow=parent, listen=listen, insecure=insecure)
    except OSError as error:
        raise ConfigError(f"--listen: {error}") from error


def sweep(chosen: Chosen, *, as_json: bool = False, end: End | None = None) -> bool:
    """Run the trials of a sweep and print their results; returns whether none failed.  Raises UserError.

    `end` is that of StopSignals, while ray starts.
    """
    _prepare(chosen)
    trust(running_words(chosen.base | {"tune": chosen.tune.model_dump(mode="json") if chosen.tune else {}}))
    from trainer.sweeps import SweepBar, SweepLog, TrialResult, begin_sweep, print_results, run_sweep

    assert chosen.tune is not None
    console, results = LastingConsole(quiet=as_json), list[TrialResult]()
    console.print(f"sweep {chosen.folder.name} in {chosen.folder}", highlight=False, soft_wrap=True)
    SweepLog.as_json = as_json
    try:
        with RunLock(chosen.folder):
            with StopSignals(Stop(), grace=SWEEP_GRACE, end=end) as signals:
                _start_ray(chosen.config, signals, trials=chosen.tune.parallel)
            signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))  # Ray Tune ends in order then
            _check_cluster(chosen.config)
            begin_sweep(chosen.folder, chosen.base, chosen.tune, trust=chosen.trust_checkpoint)
            with SweepBar(console) as SweepLog.bar:
                results = run_sweep(chosen.base, chosen.config, chosen.tune, folder=chosen.folder)
            print_results(results, chosen.tune, console=console)
    except (KeyboardInterrupt, StoppedEarly):
        results = []
    finally:
        stop_ray()
    if not results or not all(result.over for result in results):
        words = f"stopped before all trials ended; resume it with: --resume {chosen.folder.name}"
        console.print(words, highlight=False)
    if as_json:
        trials = [asdict(result) for result in results]
        print_event("result", sweep=chosen.folder.name, folder=str(chosen.folder), trials=trials)
    return not any(result.error for result in results)
