"""What a large pool costs: an iteration with 500 snapshots in it over one with 5, and the memory that they take.

``python -m tests.benchmarks.pool`` trains on volley at its own settings, two runs side by side that take turns, one
with 5 snapshots in the pool and one with 500, and prints {iteration_ratio, rss_growth_mb, ...}: the median ratio of
pairs of iterations (cpu_ratio: of the processor's time alone, which other programs hardly touch), and by how much the
process grew since both had 5.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

GAME = "house/volley"
FEW, MANY = 5, 500
WARM = 16
PAIRS = 24


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        os.environ["ARCADE_HOME"] = name
        with contextlib.redirect_stdout(sys.stderr):
            figures = measure(Path(name))
    print(json.dumps(figures))


def measure(home: Path) -> dict[str, float]:
    """Both figures, with what they were made of."""
    from trainer.cluster.ray_cluster import start_ray, stop_ray
    from trainer.config.reading import make_config

    start_ray(make_config({"game": GAME}))
    try:
        small, large = make_run(home, "small", FEW), make_run(home, "large", FEW)
        for run in (small, large) * WARM:
            iterate(run)
        before = rss_mb()
        join(large, home, MANY)
        for run in (large, small) * WARM:
            iterate(run)
        pairs = [measure_pair(small, large, turned=bool(number % 2)) for number in range(PAIRS)]
        growth = rss_mb() - before
        figures = {
            "iteration_ratio": statistics.median(many[0] / few[0] for few, many in pairs),
            "rss_growth_mb": growth,
            "cpu_ratio": statistics.median(many[1] / few[1] for few, many in pairs),
            "iteration_ms": 1000 * statistics.median(few[0] for few, _ in pairs),
            "snapshots": len(large.lineages[0].names),
        }
        for run in (small, large):
            run.close()
    finally:
        stop_ray()
    return {name: round(value, 3) for name, value in figures.items()}


def make_run(home: Path, name: str, snapshots: int) -> Any:
    """A run on the game at its usual settings, with so many snapshots in its pool."""
    from agents.snapshots.store import SnapshotStore
    from arcade.games import find_game
    from trainer.config.reading import make_config
    from trainer.runs.control import TrainerServer
    from trainer.runs.progress import Progress
    from trainer.runs.training import TrainingRun

    settings = {"freeze": {"save_steps": 0, "win_rate": 0}, "evaluation": {"steps": 0}, "checkpoints": {"seconds": 1e6}}
    config, spec = make_config(settings | {"game": GAME}), find_game(GAME)
    run = TrainingRun(
        config, spec, folder=home / "runs" / name, store=SnapshotStore(home / "snapshots"), ladder=None,
        server=TrainerServer(), progress=Progress(name),
    )  # fmt: skip
    if not (home / "snapshots" / "pool-0000").exists():
        run._freeze(run.lineages[0], "start")
        make_copies(home / "snapshots", run.lineages[0].names[0])
        run.lineages[0].pool.dropped[run.lineages[0].names[0]] = "a copy of it is there"
    join(run, home, snapshots)
    return run


def make_copies(store: Path, name: str) -> None:
    """One policy's snapshot under many names: they cost what different ones would."""
    for number in range(MANY):
        folder = store / f"pool-{number:04d}"
        shutil.copytree(store / name, folder)
        card = json.loads((folder / "card.json").read_text()) | {"name": folder.name}
        (folder / "card.json").write_text(json.dumps(card))


def join(run: Any, home: Path, count: int) -> None:
    """The first so many of the copies are in the run's pool."""
    names = sorted(path.name for path in (home / "snapshots").glob("pool-*"))[:count]
    run._join(run.lineages[0], names)


def measure_pair(small: Any, large: Any, *, turned: bool) -> tuple[tuple[float, float], tuple[float, float]]:
    """What an iteration of each took; which of them goes first changes from pair to pair."""
    if turned:
        second, first = iterate(large), iterate(small)
        return first, second
    return iterate(small), iterate(large)


def iterate(run: Any) -> tuple[float, float]:
    """Seconds of one iteration, all that belongs to it included, and seconds of the processor in it."""
    started, worked = time.perf_counter(), time.process_time()
    run._iterate()
    return time.perf_counter() - started, time.process_time() - worked


def rss_mb() -> float:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
