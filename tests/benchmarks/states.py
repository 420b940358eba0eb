"""Saved states of games: whether play from them repeats exactly, and what they cost.

``python -m tests.benchmarks.states [GAME …] [--ticks 10000]`` prints ``games``, for each of them ``exact`` (at random
moments of random play: save, play 8 ticks, load, play the same 8 again, twice; observations, rewards, masks, ends and
pictures are the same), ``save_load_ms`` (the median of a save and a load, the tick and its picture included),
``of_a_tick`` (its share of the game's tick) and ``differs`` (the first difference, in words).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from statistics import median
from typing import Any

from arcade.games import find_game
from arcade.games.built_in import built_in_games
from arcade.match.stage.local import LocalStage
from arcade.match.stage.saved_play import prove

TICKS = 10_000


def measure(game: str, ticks: int) -> dict[str, Any]:
    """The entry of one game; in this process, which an env may end."""
    spec = find_game(game)
    with LocalStage(spec, render=True) as stage:
        found = prove(stage, ticks=ticks)
    seconds = median(found.seconds) if found.seconds else float("nan")
    return {
        "exact": found.exact, "save_load_ms": round(seconds * 1000, 3), "of_a_tick": round(seconds * spec.fps, 4),
        "ticks": found.ticks, "moments": found.moments, "differs": found.differs,
    }  # fmt: skip


def measure_apart(game: str, ticks: int) -> dict[str, Any]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.states", "--alone", game, "--ticks", str(ticks)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        return {"exact": False, "differs": (run.stderr.strip().splitlines() or ["the process ended"])[-1]}
    entry: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return entry


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--ticks", type=int, default=TICKS)
    parser.add_argument("--alone", action="store_true", help="one game, in this process")
    options = parser.parse_args()
    if options.alone:
        print(json.dumps(measure(options.games[0], options.ticks)))
        return
    games = [find_game(word).id for word in options.games] or [spec.id for spec in built_in_games()]
    found = {}
    for game in games:
        found[game] = measure_apart(game, options.ticks)
        print(game, found[game], file=sys.stderr, flush=True)
    print(json.dumps({"games": found}))


if __name__ == "__main__":
    main()
