"""``python -m trainer GAME``: train by self-play until stopped."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from agents.home import folder
from agents.run_lock import RunLock
from arcade.games.spec import GameError, GameSpec
from trainer.cluster.machine import resources as machine_resources
from trainer.cluster.priority import give_way
from trainer.command_line import Chosen, choose_run, make_parser
from trainer.config import ConfigError, RunConfig
from trainer.config.schema import make_schema

if TYPE_CHECKING:
    from trainer.runs.resolve import Resolved

PACKAGES = ("ray", "torch", "onnx", "tensorboardX")
"""What the extra ``train`` brings and a run cannot do without."""


class StoppedEarly(BaseException):
    """Asked to stop while nothing was trained yet; no handler of errors on the way is to hold it up."""


def main(words: list[str] | None = None) -> int:
    """0 when the run ended as asked, 2 when it could not begin."""
    options = make_parser().parse_args(words)
    parent = options.parent or (os.getppid() if options.stop_with_parent else 0)
    try:
        if options.schema:
            return show(make_schema(options.schema))
        check_packages()
        chosen = choose_run(options)
        give_way(chosen.config.resources.nice, threads=chosen.config.resources.threads)
        resolved = check(chosen, imports=not options.dry_run)
        if options.dry_run:
            return show(look_ahead(chosen.config, resolved))
        lock = RunLock(chosen.folder)
    except (UserError, GameError) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        return sweep(chosen) if chosen.tune else train(chosen, resolved.spec, parent=parent)
    except StoppedEarly:
        print("stopped before it began", file=sys.stderr, flush=True)
        os._exit(0)  # ray, half begun, would take long to end in order; its processes end with this one
    finally:
        lock.release()


def show(facts: dict[str, Any]) -> int:
    """Print `facts` as JSON; a reader that has seen enough, as `head`, is no error."""
    try:
        print(json.dumps(facts, indent=1, allow_nan=False), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what python flushes at its end goes there
    return 0


def check(chosen: Chosen, *, imports: bool) -> Resolved:
    """Hold the settings against the game, and this machine where it is to do it all; raises UserError or GameError.

    A dry run imports no code of opponents.
    """
    from arcade.match.play.lineup import open_store
    from trainer.cluster.ray_cluster import cluster_address
    from trainer.runs.resolve import apply_kwargs, check_resources, resolve

    if not cluster_address(chosen.config):
        check_resources(chosen.config, machine_resources(), trials=chosen.tune.parallel if chosen.tune else 1)
    spec = apply_kwargs(chosen.config, chosen.spec)
    return resolve(chosen.config, spec, open_store(folder("snapshots")), imports=imports)


def look_ahead(config: RunConfig, resolved: Resolved) -> dict[str, Any]:
    """What the run would be; a cluster that it is to join is asked for what it has."""
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


def check_packages() -> None:
    """Raises ConfigError where the trainer's own packages are not installed."""
    absent = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if absent:
        raise ConfigError(
            f"expected the trainer's packages, {', '.join(absent)} among them, got none; "
            "install them: pip install 'pettingzoo-arcade[train]'"
        )


def train(chosen: Chosen, spec: GameSpec, *, parent: int) -> int:
    """Run to the end with a control server, a screen and ray around it."""
    from trainer.cluster.ray_cluster import start_ray, stop_ray
    from trainer.runs.control import Orders, Station
    from trainer.runs.progress import Progress

    orders, run_id = Orders(), chosen.folder.name
    _stop_on_signals(orders, at_once=True)
    with (
        Station(orders, follow=parent) as station,
        Progress(f"{spec.title}  {run_id}", target=chosen.config.steps) as progress,
    ):
        progress.say(f"training {spec.id}: run {run_id} in {chosen.folder}")
        try:
            _unless_stopped(start_ray, chosen.config)
            _stop_on_signals(orders, at_once=True)  # ray has put its own handlers there
            _check_cluster(chosen.config)
            run = _make_run(chosen, spec, orders=orders, station=station, progress=progress)
            _stop_on_signals(orders)
            return _finish(run, progress)
        except UserError as error:
            progress.say(str(error))
            return 2
        finally:
            if not isinstance(sys.exception(), StoppedEarly):
                stop_ray()


def sweep(chosen: Chosen) -> int:
    """Play the trials of a sweep, and show what came of them."""
    from trainer.cluster.ray_cluster import start_ray, stop_ray
    from trainer.runs.progress import LastingConsole
    from trainer.sweeps.sweep import begin_sweep, print_results, run_sweep

    assert chosen.tune is not None
    console = LastingConsole()
    console.print(f"sweep {chosen.folder.name} in {chosen.folder}", highlight=False, soft_wrap=True)
    try:
        start_ray(chosen.config, trials=chosen.tune.parallel)  # puts handlers of its own there
        signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getpid(), signal.SIGINT))  # Ray Tune ends in order at that
        _check_cluster(chosen.config)
        begin_sweep(chosen.folder, chosen.base, chosen.tune)
        results = run_sweep(chosen.base, chosen.config, chosen.tune, folder=chosen.folder)
        print_results(results, chosen.tune, console=console)
        if not all(result.over for result in results):
            _say_stopped(console, chosen)
        return 1 if any(result.error for result in results) else 0
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        _say_stopped(console, chosen)
        return 0
    finally:
        stop_ray()


def _say_stopped(console: Any, chosen: Chosen) -> None:
    console.print(f"stopped before all runs were over; go on with: --resume {chosen.folder.name}", highlight=False)


def _unless_stopped(start: Callable[[RunConfig], None], config: RunConfig) -> None:
    """Ray answers a signal, once its own handler is there, by SystemExit."""
    try:
        start(config)
    except SystemExit as error:
        raise StoppedEarly from error


def _stop_on_signals(orders: Any, *, at_once: bool = False) -> None:
    """A signal asks for the end: after the iteration under way, or `at_once` while there is nothing to lose."""

    def stop(*_: object) -> None:
        orders.ask("stop")
        if at_once:
            raise StoppedEarly

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    if at_once and orders.stop:
        raise StoppedEarly


def _make_run(chosen: Chosen, spec: GameSpec, **around: Any) -> Any:
    """The run, ready to begin; raises UserError."""
    from arcade.match.play.lineup import open_store
    from trainer.league.placement import Placement, open_ladder
    from trainer.runs.training import TrainingRun

    placement = Placement(spec, open_ladder(), games=chosen.config.freeze.placement_games)
    command = shlex.join(["python", "-m", "trainer", *sys.argv[1:]])
    return TrainingRun(
        chosen.config, spec, folder=chosen.folder, store=open_store(folder("snapshots")), placement=placement,
        command=command, resume=chosen.resume, from_best=chosen.from_best, **around,
    )  # fmt: skip


def _finish(run: Any, progress: Any) -> int:
    try:
        run.run()
    finally:
        run.close()
    progress.say(f"stopped at step {run.step:,}; go on with: --resume {run.run_id}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
