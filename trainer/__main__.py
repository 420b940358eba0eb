"""``python -m trainer GAME``: train by self-play until stopped."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.home import folder
from arcade.assets import asset
from arcade.games import find_game, missing
from arcade.games.spec import GameError, GameSpec
from arcade.run_lock import RunLock
from trainer.config import ConfigError, RunConfig
from trainer.config.overrides import override
from trainer.config.reading import make_config, read_config, with_sizes
from trainer.config.schema import make_schema
from trainer.priority import give_way

NEWEST = "newest"
PACKAGES = ("ray", "torch", "onnx", "tensorboardX")
"""What the extra ``train`` brings and a run cannot do without."""


class StoppedEarly(BaseException):
    """Asked to stop while nothing was trained yet; no handler of errors on the way is to hold it up."""


def main(words: list[str] | None = None) -> int:
    """0 when the run ended as asked, 2 when it could not begin."""
    options = make_parser().parse_args(words)
    if options.schema:
        return print_schema(options.schema)
    parent = options.parent or (os.getppid() if options.stop_with_parent else 0)
    try:
        check_packages()
        config, run_folder, resume = choose_run(options)
        spec = find_game(config.game)
        if needed := missing(spec):
            raise ConfigError(f"expected the packages of {spec.id}; install them with: {needed}")
        lock = RunLock(run_folder)
    except (UserError, GameError) as error:
        print(error, file=sys.stderr)
        return 2
    give_way(config.resources.nice, threads=config.resources.threads)
    try:
        return train(config, spec, run_folder, resume=resume, parent=parent)
    except StoppedEarly:
        print("stopped before it began", file=sys.stderr, flush=True)
        os._exit(0)  # ray, half begun, would take long to end in order; its processes end with this one
    finally:
        lock.release()


def print_schema(algorithm: str) -> int:
    try:
        print(json.dumps(make_schema(algorithm), indent=1))
    except ConfigError as error:
        print(f"--schema: {error}", file=sys.stderr)
        return 2
    return 0


def check_packages() -> None:
    """Raises ConfigError where the trainer's own packages are not installed."""
    absent = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if absent:
        raise ConfigError(
            f"expected the trainer's packages, {', '.join(absent)} among them, got none; "
            "install them: pip install 'pettingzoo-arcade[train]'"
        )


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m trainer", description="Train a policy by self-play and freeze snapshots of it."
    )
    parser.add_argument("game", nargs="?", default="", help="catalogue id, as in house/volley; not with --resume")
    parser.add_argument("--config", type=Path, help="TOML file of settings, as written into a run's folder")
    parser.add_argument("--run", default="", help="the run's id; default: game and time")
    parser.add_argument("--from", dest="start_from", default="", metavar="SNAPSHOT", help="go on from a snapshot")
    parser.add_argument("--resume", nargs="?", const=NEWEST, metavar="RUN_ID", help="go on with a run, the newest")
    parser.add_argument("--steps", type=int, help="env steps until it ends; default: until stopped")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--nice", type=int, help="priority, 0 (normal) to 19 (lowest)")
    parser.add_argument("--stop-with-parent", action="store_true", help="end when the process that started it ends")
    parser.add_argument("--parent", type=int, metavar="PID", help="end when this process, its parent, has ended")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any setting: training.lr=1e-3")
    parser.add_argument("--schema", metavar="ALGORITHM", help="print the JSON schema of the settings, and end")
    return parser


def choose_run(options: argparse.Namespace) -> tuple[RunConfig, Path, bool]:
    """The settings, the run's folder, and whether it goes on; raises ConfigError or GameError."""
    given = {"steps": options.steps, "seed": options.seed, "resources.nice": options.nice}
    words = [f"{name}={value}" for name, value in given.items() if value is not None] + options.set
    if options.resume is not None:
        if options.game or options.config or options.run or options.start_from:
            raise ConfigError("expected --resume [RUN_ID] with no game, --config, --run or --from beside it, got some")
        run_folder = find_run(options.resume)
        return make_config(read_config(run_folder / "config.toml"), words), run_folder, True
    settings: dict[str, Any] = read_config(options.config) if options.config else {}
    if options.start_from:
        settings["start_from"] = options.start_from
    settings = override(settings, words)
    game = options.game or settings.get("game", "")
    if not game:
        raise ConfigError("expected a game such as house/volley, got none; see: arcade games")
    spec = find_game(game)
    settings = with_sizes(settings, spec) | {"game": spec.id}
    stem = spec.id.rpartition("/")[2].replace(":", "-")
    settings["run"] = options.run or settings.get("run") or f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    config = make_config(settings)
    run_folder = folder("runs") / config.run
    if (run_folder / "config.toml").exists():
        raise ConfigError(f"expected a new run id, got {config.run!r}, which exists; go on with: --resume {config.run}")
    return config, run_folder, False


def find_run(word: str) -> Path:
    """The folder of the run `word`, or of the one written last."""
    runs = {path.parent.name: path.parent for path in folder("runs").glob("*/config.toml")}
    if word == NEWEST and runs:
        return max(runs.values(), key=lambda path: (path / "config.toml").stat().st_mtime)
    if word not in runs:
        raise ConfigError(f"expected one of the runs {', '.join(sorted(runs)) or '(none yet)'}, got: {word!r}")
    return runs[word]


def train(config: RunConfig, spec: GameSpec, run_folder: Path, *, resume: bool, parent: int) -> int:
    """Run to the end with a control server, a screen and ray around it."""
    from trainer.cluster import start_ray, stop_ray
    from trainer.runs.control import Orders, Station
    from trainer.runs.progress import Progress

    orders = Orders()
    _stop_on_signals(orders, at_once=True)
    with Station(orders, follow=parent) as station, Progress(f"{spec.title}  {run_folder.name}") as progress:
        progress.say(f"training {spec.id}: run {run_folder.name} in {run_folder}")
        try:
            _unless_stopped(start_ray, config)
            _stop_on_signals(orders, at_once=True)  # ray has put its own handlers there
            run = _make_run(config, spec, run_folder, orders=orders, station=station, progress=progress, resume=resume)
            _stop_on_signals(orders)
            return _finish(run, progress)
        except UserError as error:
            progress.say(str(error))
            return 2
        finally:
            if not isinstance(sys.exception(), StoppedEarly):
                stop_ray()


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


def _make_run(config: RunConfig, spec: GameSpec, run_folder: Path, **around: Any) -> Any:
    """The run, ready to begin; raises UserError."""
    from agents.snapshot import SnapshotStore
    from trainer.league.placement import Placement, open_ladder
    from trainer.runs.training import TrainingRun

    store = SnapshotStore(folder("snapshots"), bundled=[asset("snapshots")])
    placement = Placement(spec, open_ladder(), games=config.freeze.placement_games)
    command = shlex.join(["python", "-m", "trainer", *sys.argv[1:]])
    return TrainingRun(config, spec, folder=run_folder, store=store, placement=placement, command=command, **around)


def _finish(run: Any, progress: Any) -> int:
    try:
        run.run()
    finally:
        run.close()
    progress.say(f"stopped at step {run.step:,}; go on with: --resume {run.run_id}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
