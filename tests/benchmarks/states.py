"""Saved states of games: whether play from them repeats exactly, and what they cost.

``python -m tests.benchmarks.states [GAME …] [--ticks 10000]`` prints ``games``, for each of them ``exact`` (at random
moments of random play: save, play 8 ticks, load, play the same 8 again, twice; observations, rewards, masks, ends and
pictures are the same), ``save_load_ms`` (the median of a save and a load, the tick and its picture included, in time of
the processor, so that other programs count little), ``of_a_tick`` (its share of the game's tick) and ``differs`` (the
first difference, in words).

``seek_ms`` is the median over games of the time from a seek to the picture of the tick, in a recording of ten minutes
that was passed once; ``seeks`` has, for each of them, the median and the slowest of random seeks, the seconds of that
first pass, and the MiB of the keyframes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from agents.policies.random import RandomController
from arcade.games import GameSpec, find_game
from arcade.games.built_in import built_in_games
from arcade.match.play.match import Match
from arcade.match.play.seats import PolicyMapping
from arcade.match.playback.playback import Playback
from arcade.match.playback.reader import read_replay
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.saved_play import prove

TICKS = 10_000


def measure(game: str, ticks: int) -> dict[str, Any]:
    """The entry of one game; in this process, which an env may end."""
    spec = find_game(game)
    with LocalStage(spec, render=True) as stage:
        found = prove(stage, ticks=ticks, clock=time.thread_time)
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


SEEKING = ("atari/tennis_v3", "atari/othello_v3")
"""Games with episodes that are long enough."""

MINUTES, SEEKS = 10, 60


def measure_seeks(game: str, folder: Path) -> dict[str, Any]:
    """The entry of one game in ``seeks``."""
    spec = find_game(game)
    path = folder / f"{spec.id.replace('/', '-')}.replay"
    record(spec, path)
    with HostedStage(spec) as stage:
        stage.wait_ready()
        playback = Playback(stage, read_replay(path), rate=spec.fps)
        began = time.monotonic()
        until(playback, lambda: playback.settled and playback.passed == playback.length)
        first_pass = time.monotonic() - began
        random, taken = Random(1), []
        for _ in range(SEEKS):
            asked = time.monotonic()
            playback.seek(random.randrange(playback.length))
            until(playback, lambda: playback.settled)
            taken.append(time.monotonic() - asked)
        return {
            "ticks": playback.length, "median_ms": round(median(taken) * 1000, 1),
            "slowest_ms": round(max(taken) * 1000, 1), "first_pass_s": round(first_pass, 1),
            "keyframes_mib": round(stage.states_size / 2**20, 1), "differs_at": playback.differs_at,
        }  # fmt: skip


def record(spec: GameSpec, path: Path) -> None:
    """Random play of ten minutes, or as long as the episode takes."""
    with LocalStage(spec) as stage:
        writer = ReplayWriter(path)
        seats: PolicyMapping = {agent: RandomController() for agent in stage.agents}
        Match(stage, seats, seed=1, max_ticks=round(MINUTES * 60 * spec.fps), recorders=[writer]).run()
        writer.close()


def until(playback: Playback, done: Callable[[], bool]) -> None:
    while not done():
        playback.advance(time.monotonic())
        time.sleep(0.001)  # a window draws in between


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--ticks", type=int, default=TICKS)
    parser.add_argument("--alone", action="store_true", help="one game, in this process")
    parser.add_argument("--seeks", action=argparse.BooleanOptionalAction, default=True, help="measure seeks too")
    options = parser.parse_args()
    if options.alone:
        print(json.dumps(measure(options.games[0], options.ticks)))
        return
    games = [find_game(word).id for word in options.games] or [spec.id for spec in built_in_games()]
    found = {}
    for game in games:
        found[game] = measure_apart(game, options.ticks)
        print(game, found[game], file=sys.stderr, flush=True)
    print(json.dumps({"games": found} | (seek_figures() if options.seeks else {})))


def seek_figures() -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        seeks = {game: measure_seeks(game, Path(folder)) for game in SEEKING}
    return {"seek_ms": median(entry["median_ms"] for entry in seeks.values()), "seeks": seeks}


if __name__ == "__main__":
    main()
