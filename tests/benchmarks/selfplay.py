"""Self-play by our runner and learner over stock RLlib's: ``python -m tests.benchmarks.selfplay [GAME …]``.

For each game `sampling_ratio` is env steps a second of ``sample()`` alone, ours over stock's, and `ratio` the same of
whole iterations by ``train()``.  Both sides have the same network, batch, minibatch and epochs, and one frozen
opponent (connect_four, volley) or a policy a team, all of which learn (simple_tag).  They are built once, take turns,
and medians are compared.  Both must learn: losses stay finite, and by the end connect_four is won more often than not
against random play; in the others, where that takes far longer, a critic explains some of the returns' variance.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

from tests.benchmarks.sides import CASES, Side, make_sides
from trainer.cluster.ray_cluster import start_ray, stop_ray
from trainer.config.reading import make_config

ROUNDS = 12
OURS_A_ROUND = 3  # iterations of ours to one of stock's
JUDGED_GAMES = 200
LEARNT = {
    "connect_four": ("win_rate_random", 0.55),
    "simple_tag": ("explained_variance", 0.05),
    "volley": ("explained_variance", 0.5),
}
"""What both sides must have learnt by the end: the figure that shows it, and its least value."""


def measure(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        ours, stock = make_sides(CASES[name], Path(folder), seed=0)
        figures = compare(ours, stock, ours.run.training.batch)
    for who, side in (("ours", ours), ("stock", stock)):
        figures |= {f"{who}_{learnt}": round(value, 3) for learnt, value in judge(side, *LEARNT[name]).items()}
        side.close()
    return figures


def compare(ours: Side, stock: Side, batch: int) -> dict[str, Any]:
    """Rates in env steps a second, the sides in turns."""
    ours.train()
    stock.train()
    seconds: dict[str, list[float]] = {}

    def take(name: str, measured: Callable[[], float]) -> None:
        seconds.setdefault(name, []).append(measured())

    for _ in range(ROUNDS):
        take("ours_sampling", ours.sample)
        ours.train()  # its fragment was played ahead, in the other side's turn
        for _ in range(OURS_A_ROUND):
            take("ours", ours.train)
        take("stock_sampling", stock.sample)
        take("stock", stock.train)
    rates = {name: batch / statistics.median(times) for name, times in seconds.items()}
    return {
        "sampling_ratio": round(rates["ours_sampling"] / rates["stock_sampling"], 2),
        "ratio": round(rates["ours"] / rates["stock"], 2),
        **{f"{name}_steps_per_s": round(rate) for name, rate in rates.items()},
    }


def judge(side: Side, figure: str, least: float) -> dict[str, float]:
    """What the side has learnt; raises RuntimeError where `figure` is below `least`."""
    learnt = {
        "win_rate_random": side.win_rate(games=JUDGED_GAMES, seed=1),
        "explained_variance": side.explained,
    }
    if learnt[figure] < least:
        raise RuntimeError(f"expected {figure} >= {least} of {type(side).__name__}, got: {learnt}")
    return learnt


def main() -> None:
    names = sys.argv[1:] or list(CASES)
    start_ray(make_config({"game": "house/volley", "resources": {"runners": 4}}))  # both sides have theirs
    try:
        print(json.dumps({name: measure(name) for name in names}))
    finally:
        stop_ray()


if __name__ == "__main__":
    main()
