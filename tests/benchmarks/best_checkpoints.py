"""How well the figure by which checkpoints are ranked tells strong runs from weak ones.

Runs of different length and learning rate train connect four from scratch; the best checkpoint of each, as
``--from-best`` takes it, is frozen.  A round robin of the frozen policies rates them on a ladder.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.known_strengths import spearman
from tests.support.runs import finish, make_run
from trainer.cluster.ray_cluster import start_ray, stop_ray
from trainer.config.reading import make_config
from trainer.league.export import Freezer

GAME = "classic/connect_four_v3"
RUNS = (
    (20_000, 1e-5),
    (60_000, 3e-4),
    (120_000, 3e-4),
    (120_000, 1e-3),
    (240_000, 5e-4),
    (240_000, 1e-3),
    (400_000, 1e-3),
)
"""Env steps and learning rate of each run: far enough apart for their order to be told."""

GAMES = 96
"""Of each evaluation against each of its opponents."""

SEEDS_OF_A_PAIR = 40


def best_rank_correlation() -> dict[str, Any]:
    """Spearman's rank correlation of the best checkpoints' yardsticks with their ratings."""
    start_ray(make_config({"game": GAME}))
    before = os.environ.get("ARCADE_HOME")
    try:
        with tempfile.TemporaryDirectory() as home:
            os.environ["ARCADE_HOME"] = home
            values = {f"best-{number}": train(Path(home), number) for number in range(len(RUNS))}
            ratings = rate(list(values))
    finally:
        stop_ray()
        if before is None:
            os.environ.pop("ARCADE_HOME", None)
        else:
            os.environ["ARCADE_HOME"] = before
    correlation = spearman(np.array(list(values.values())), np.array([ratings[name] for name in values]))
    return {
        "best_rank_correlation": round(correlation, 3),
        "best_checkpoints": {name: [round(values[name], 3), round(ratings[name], 1)] for name in values},
    }


def train(home: Path, number: int) -> float:
    """Train, freeze the best checkpoint, and return the figure that it was chosen by."""
    steps, rate = RUNS[number]
    settings = {
        "steps": steps, "seed": number, "training": {"batch": 4096, "minibatch": 512, "lr": rate},
        "resources": {"games": 64}, "evaluation": {"steps": max(20_000, steps // 3), "games": GAMES},
        "freeze": {"save_steps": 20_000, "placement_games": 0},
    }  # fmt: skip
    name = f"run-{number}"
    finish(make_run(GAME, settings, home, name=name))
    run = make_run(GAME, settings, home, name=name, resume=True, from_best=True)
    best = run.checkpoints.best()
    value = run.checkpoints.value(best) if best else None
    if value is None:
        raise RuntimeError(f"expected {name} to have a checkpoint that was measured, got none")
    (policy,) = run.runner.plan.policies
    seen = np.zeros((2, *policy.observation_space.shape), policy.observation_space.dtype)
    masks = np.ones((2, policy.action_space.n), np.int8)
    freezer = Freezer(run.store, policy, game=GAME, run=name, algorithm="PPO")
    freezer.freeze(
        run.runner.network(policy.id), name=f"best-{number}", step=run.step, parent="", note="", observations=seen,
        masks=masks,
    )  # fmt: skip
    run.close()
    return value


def rate(names: list[str]) -> dict[str, float]:
    """The rating of each snapshot after a round robin."""
    import arcade

    table = arcade.tournament(GAME, [f"snapshot:{name}" for name in names], games=SEEDS_OF_A_PAIR, seed=1)["table"]
    return {row["label"]: row["elo"] for row in table}
