"""How long learning takes: ``python -m tests.benchmarks.learning [volley|connect_four|best|crossplay|corrections]``.

`volley_seconds_to_95`: wall seconds from the start of ``python -m trainer house/volley`` with its own settings, from
scratch, until its yardstick, `GAMES` games, shows 95% against the scripted player.  null where it was not reached in
`VOLLEY_CAP` seconds.

`connect_four_speedup`: seconds of training until 90% of `GAMES` games against random play are won, stock RLlib's over
ours, the median over `SEEDS`.  Both sides have the same network, settings and curriculum (an untrained frozen policy),
take turns, and are judged at the same env steps with the clock stopped.  Where stock does not get there in
`CONNECT_FOUR_CAP` seconds that time is taken, the figure is a lower bound, and `connect_four_is_lower_bound` is true.

`best_rank_correlation` (part `best`): see `tests.benchmarks.best_checkpoints`; at least 0.8.

`crossplay` (part `crossplay`): see `tests.benchmarks.crossplay`; the share of the gap between the score of self-play
and that with strangers which Fictitious Co-Play closes, at least 0.5.

`corrections` (part `corrections`): see `tests.benchmarks.corrections`; the win rate of a weak clone of a volley player
after three rounds of corrections over before, at least 0.2.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

from tests.benchmarks.best_checkpoints import best_rank_correlation
from tests.benchmarks.corrections import corrections
from tests.benchmarks.crossplay import crossplay
from tests.benchmarks.sides import CASES, Case, make_sides
from trainer.cluster.ray_cluster import start_ray, stop_ray
from trainer.config.reading import make_config

GAMES = 200
VOLLEY_CAP = 1800.0
CONNECT_FOUR_CAP = 180.0
SEEDS = (1, 2, 3)
JUDGED_EVERY = 4  # iterations


def time_volley() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        settings = ("evaluation.steps=400000", f"evaluation.games={GAMES}", 'evaluation.against=["scripted"]')
        words = [word for setting in settings for word in ("--set", setting)]
        command = [sys.executable, "-m", "trainer", "house/volley", "--run", "bench", *words]
        began = time.monotonic()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        child = subprocess.Popen(command, env=os.environ | {"ARCADE_HOME": home}, **quiet)
        try:
            step, rate = follow(child, Path(home) / "runs" / "bench" / "metrics.jsonl", until=began + VOLLEY_CAP)
            seconds = time.monotonic() - began
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(120)
    reached = round(seconds) if rate >= 0.95 else None
    return {"volley_seconds_to_95": reached, "volley_steps": step, "volley_win_rate": rate}


def follow(child: subprocess.Popen[bytes], metrics: Path, *, until: float) -> tuple[int, float]:
    """(env steps, win rate) of the first measurement of 95%, or the last one before `until`."""
    step, rate = 0, 0.0
    while rate < 0.95 and time.monotonic() < until:
        if child.poll() is not None:
            raise RuntimeError(f"expected a trainer that runs, got: exit code {child.returncode}")
        time.sleep(0.5)
        lines = metrics.read_text("utf-8").splitlines()[:-1] if metrics.exists() else []
        measured = [line for line in map(json.loads, lines) if "win_rate_scripted" in line]
        if measured:
            step, rate = measured[-1]["step"], measured[-1]["win_rate_scripted"]
    return step, rate


def time_connect_four() -> dict[str, Any]:
    start_ray(make_config({"game": "house/volley", "resources": {"runners": 2}}))
    try:
        pairs = [race(CASES["connect_four"], seed) for seed in SEEDS]
    finally:
        stop_ray()
    return {
        "connect_four_speedup": round(statistics.median(stock / ours for ours, stock in pairs), 2),
        "connect_four_is_lower_bound": any(stock >= CONNECT_FOUR_CAP for _, stock in pairs),
        "connect_four_seconds": {"ours": [round(o, 1) for o, _ in pairs], "stock": [round(s, 1) for _, s in pairs]},
    }


def race(case: Case, seed: int) -> tuple[float, float]:
    """Seconds of training that ours and stock took, an iteration of each in turn."""
    with tempfile.TemporaryDirectory() as folder:
        sides = make_sides(case, Path(folder), seed=seed)
        seconds, done = [0.0, 0.0], [False, False]
        while not all(done):
            for i, side in enumerate(sides):
                if not done[i]:
                    seconds[i] += sum(side.train() for _ in range(JUDGED_EVERY))
                    done[i] = side.win_rate(games=GAMES, seed=seed) >= 0.9 or seconds[i] >= CONNECT_FOUR_CAP
        for side in sides:
            side.close()
    if seconds[0] >= CONNECT_FOUR_CAP:
        raise RuntimeError(f"expected ours to win 90% against random play in {CONNECT_FOUR_CAP:g} s, got less")
    return seconds[0], min(seconds[1], CONNECT_FOUR_CAP)


def main() -> None:
    parts = {
        "connect_four": time_connect_four, "volley": time_volley, "best": best_rank_correlation, "crossplay": crossplay,
        "corrections": corrections,
    }  # fmt: skip
    names = sys.argv[1:] or list(parts)
    figures: dict[str, Any] = {}
    for name in names:
        figures |= parts[name]()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
