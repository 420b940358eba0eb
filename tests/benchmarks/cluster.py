"""How busy runners and learner are on a cluster: ``python -m tests.benchmarks.cluster [1 2 4]``.

A Ray cluster of two nodes on this machine, as in `tests.support.two_nodes`, trains volley with so many runners.
`idle_RUNNERS` has the idle shares of PPO, of PPO with `resources.overlap`, and of IMPALA, each over `SECONDS` of
training: `runners` is the mean share of the time in which a runner plays no fragment, `learner` the share in which the
trainer's own process is not in an update; with `steps_per_second`.  With more runners than cores they wait for each
other, which counts as playing.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

from tests.support.runs import close, make_run
from tests.support.two_nodes import two_nodes

COUNTS = (1, 2, 4)
SECONDS = 20.0
WARM_UP = 3  # iterations
KINDS: dict[str, dict[str, Any]] = {
    "ppo": {"algorithm": "PPO"},
    "ppo_overlap": {"algorithm": "PPO", "resources": {"overlap": True}},
    "impala": {"algorithm": "IMPALA"},
}


class Watch:
    """Calls another function, and adds up the seconds in it."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call, self.seconds = call, 0.0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        try:
            return self._call(*args, **kwargs)
        finally:
            self.seconds += time.perf_counter() - began


def measure(kind: dict[str, Any], runners: int, home: Path) -> dict[str, Any]:
    """The shares of one algorithm."""
    resources = {"games": 64, "runners": runners, "cpus_per_runner": 1} | kind.get("resources", {})
    settings = kind | {
        "steps": 10**12, "resources": resources, "training": {"batch": 4096, "minibatch": 512},
        "evaluation": {"steps": 0}, "freeze": {"at_start": False, "save_steps": 0, "win_rate": 0.0},
    }  # fmt: skip
    run = make_run("house/volley", settings, home)
    group, learner = run.algorithm.env_runner_group, Watch(run.algorithm.learner_group.update)
    try:
        for _ in range(WARM_UP):
            run._iterate()
        run.algorithm.learner_group.update = learner
        group.foreach_env_runner(begin, local_env_runner=False)
        began, first = time.perf_counter(), run.step
        while time.perf_counter() - began < SECONDS:
            run._iterate()
        wall = time.perf_counter() - began
        busy = group.foreach_env_runner(lambda runner: runner._play.seconds, local_env_runner=False)
        return {
            "runners": round(1 - fmean(min(1.0, seconds / wall) for seconds in busy), 3),
            "learner": round(1 - learner.seconds / wall, 3),
            "steps_per_second": round((run.step - first) / wall),
        }  # fmt: skip
    finally:
        close(run)


def begin(runner: Any) -> None:
    """Count the seconds in which a runner plays, also in the thread of an OverlappedRunner."""
    runner._play = Watch(runner._play)


def main() -> None:
    counts, figures = tuple(map(int, sys.argv[1:])) or COUNTS, {}
    most = max(counts)
    with two_nodes(first=1 + most // 2, second=most - most // 2), tempfile.TemporaryDirectory() as folder:
        for runners in counts:
            figures[f"idle_{runners}"] = {
                name: measure(kind, runners, Path(folder) / f"{name}-{runners}") for name, kind in KINDS.items()
            }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
