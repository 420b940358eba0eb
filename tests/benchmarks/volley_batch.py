"""How many games of house/volley the batch engine steps in the time of one single env, resets included.

``python -m tests.benchmarks.volley_batch`` prints one JSON object: ``speedup`` at 1,024 games, and the figures.
"""

from __future__ import annotations

import json
import statistics
import time

import numpy as np

from arcade.games.house.volley import VolleyEnv, parallel_env
from arcade.games.house.volley_batch import VolleyBatch

ROUNDS, TICKS = 15, 200


def batch_rate(batch: VolleyBatch, dice: np.random.Generator) -> float:
    """Games stepped a second by the batch engine."""
    actions = dice.integers(0, 6, (TICKS, batch.num_envs, len(batch.agents)))
    start = time.perf_counter()
    for now in actions:
        _, _, terminations, truncations = batch.step(now)
        over = np.flatnonzero(terminations | truncations)
        if over.size:
            batch.reset_games(over, dice.integers(0, 2**31, over.size))
    return batch.num_envs * TICKS / (time.perf_counter() - start)


def single_rate(env: VolleyEnv, dice: np.random.Generator) -> float:
    """Games stepped a second by the single env."""
    actions = dice.integers(0, 6, (TICKS, 2)).tolist()
    start = time.perf_counter()
    for left, right in actions:
        env.step({"left_0": left, "right_0": right})
        if not env.agents:
            env.reset()
    return TICKS / (time.perf_counter() - start)


def main() -> None:
    dice = np.random.default_rng(0)
    single = parallel_env()
    single.reset(seed=0)
    batches = {games: VolleyBatch(games) for games in (64, 1024)}
    rates: dict[str, list[float]] = {"single": [], "batch_64": [], "batch_1024": []}
    for _ in range(ROUNDS):
        rates["single"].append(single_rate(single, dice))
        for games, batch in batches.items():
            rates[f"batch_{games}"].append(batch_rate(batch, dice))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    figures = {f"{name}_steps_per_s": round(rate) for name, rate in medians.items()}
    print(json.dumps({"speedup": round(medians["batch_1024"] / medians["single"], 1), **figures}))


if __name__ == "__main__":
    main()
