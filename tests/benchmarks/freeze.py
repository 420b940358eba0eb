"""From a policy's weights to a verified snapshot in the store: ``python -m tests.benchmarks.freeze``.

`freeze_ms` is the median over `FREEZES` freezes of a policy for house/volley, whose weights change in between: filling
the graph, comparing it with torch on real observations, saving, and reading it back verified, as a runner gets it.
`first_ms` is the first freeze of a run, which also exports the graph.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from trainer.config.reading import make_config
from trainer.league.export import Freezer
from trainer.networks.make import make_network
from trainer.sampling.plan import make_plan

GAME = "house/volley"
FREEZES = 50
ROWS = 64  # observations that torch and onnxruntime are compared on


def freeze_times(folder: Path) -> list[float]:
    """Milliseconds of each freeze, the first one first."""
    run, batch = make_config({"game": GAME}), make_vector_env(find_game(GAME), ROWS)
    (policy,) = make_plan(run.policies, batch).policies
    network = make_network(run, policy.observation_space, policy.action_space)
    batch.reset(np.arange(ROWS), np.arange(ROWS))
    seen = batch.groups[policy.group].observations[:, 0]
    store = SnapshotStore(folder)
    freezer = Freezer(store, policy, game=GAME, run="bench", algorithm=run.algorithm)
    return [freeze(freezer, store, network, number, seen) for number in range(FREEZES + 1)]


def freeze(freezer: Freezer, store: SnapshotStore, network: Any, number: int, seen: Any) -> float:
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(0.01 * torch.randn_like(weight))
    name, began = f"bench-{number:04d}", time.perf_counter()
    freezer.freeze(network, name=name, step=number, parent="", note="", observations=seen, masks=None)
    snapshot = store.get(name, game=GAME)
    ms = 1000 * (time.perf_counter() - began)
    assert snapshot.card.step == number
    return ms


def main() -> None:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        first, *later = freeze_times(Path(folder))
    figures = {"freeze_ms": statistics.median(later), "slowest_ms": max(later), "first_ms": first}
    print(json.dumps({name: round(ms, 1) for name, ms in figures.items()} | {"freezes": len(later)}))


if __name__ == "__main__":
    main()
