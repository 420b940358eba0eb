"""What it costs a trainer that somebody watches: an iteration on volley with a game streamed over one without.

``python -m tests.benchmarks.watch`` prints {slowdown, sampling_slowdown, ...}: the median over pairs of iterations,
watched and not in turns, of the time with over the time without, less one; the first of all of an iteration, the second
of the games alone.  Watched means: the moves are gathered and put on the wire, as the run does after each iteration.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
from typing import Any

GAME = "house/volley"
WARM = 10
PAIRS = 40
SAMPLES = 200


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        with contextlib.redirect_stdout(sys.stderr):
            figures = measure()
    print(json.dumps(figures))


def measure() -> dict[str, float]:
    from arcade.games import find_game
    from trainer.algorithms.make import make_algorithm
    from trainer.cluster.ray_cluster import start_ray, stop_ray
    from trainer.config.reading import make_config

    config = make_config({"game": GAME})
    start_ray(config)
    try:
        algorithm = make_algorithm(config, find_game(GAME))
        for _ in range(WARM):
            algorithm.train()
        whole = [pair(algorithm.env_runner, algorithm.train, number) for number in range(PAIRS)]
        games = [pair(algorithm.env_runner, algorithm.env_runner.sample, number) for number in range(SAMPLES)]
        algorithm.stop()
    finally:
        stop_ray()
    return {
        "slowdown": round(statistics.median(on / off for on, off, _ in whole) - 1, 4),
        "sampling_slowdown": round(statistics.median(on / off for on, off, _ in games) - 1, 4),
        "ticks_streamed": sum(ticks for _, _, ticks in whole),
        "iteration_ms": round(1000 * statistics.median(off for _, off, _ in whole), 1),
    }


def pair(runner: Any, play: Any, number: int) -> tuple[float, float, int]:
    """Seconds with somebody who watches and without, and the ticks that he saw."""
    seconds, ticks = {}, 0
    for on in (True, False) if number % 2 else (False, True):
        began = time.perf_counter()
        runner.spectated.turn(on)
        play()
        ticks += send(runner)
        seconds[on] = time.perf_counter() - began
    return seconds[True], seconds[False], ticks


def send(runner: Any) -> int:
    from agents.wire.messages import Event, encode

    pieces = runner.pop_report().moves
    for piece in pieces:
        encode(Event(name="watch", data=piece))
    return sum(len(piece["ticks"]) for piece in pieces)


if __name__ == "__main__":
    main()
