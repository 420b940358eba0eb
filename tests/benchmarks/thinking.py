"""How evenly a window draws while an expert thinks, in connect four, chess and Go, on both sides.

Prints for each game, with frames of the match and of a bare pygame loop that flips the same surface in turns:
``frames_per_second`` (60 is asked), ``p99_ms`` and ``bare_p99_ms`` of the intervals between frames, and
``thinking_share``: the share of the frames in which a seat had not answered yet.

``python -m tests.benchmarks.thinking [GAME …]``
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from itertools import pairwise
from statistics import quantiles
from typing import Any

from arcade.scenes import routes
from tests.benchmarks.frames import STRETCH, flip, turn_until
from tests.benchmarks.screens import display

GAMES = ("classic/connect_four_v3", "classic/chess_v6", "classic/go_v5", "classic/go_9x9_v5")
ROUNDS = 4


def measure(game: str) -> dict[str, float]:
    """The figures of one game."""
    from agents.seats.controller import SeatChoice
    from arcade.games import find_game
    from arcade.scenes.app import open_window
    from arcade.scenes.match.match_scene import MatchScene
    from arcade.session.match.setup import WindowOptions

    spec, expert = find_game(game), SeatChoice("level", "expert")
    bare: list[float] = []
    times: list[float] = []
    thinking: list[bool] = []
    with open_window(WindowOptions(seed=7)) as (engine, services):
        engine.push(routes.Title())
        turn_until(engine, lambda: services.ready)
        scene: Any = MatchScene(services, routes.Match(spec, dict.fromkeys(spec.agents, expert)))
        engine.push(scene)
        turn_until(engine, lambda: scene.match is not None and scene.match.tick is not None)
        for _ in range(ROUNDS):
            bare += flip(engine)
            engine.turn()
            shown = [time.monotonic()]
            while shown[-1] < shown[0] + STRETCH and not scene.match.over:
                before = scene.match.tick.index
                engine.turn()
                shown.append(time.monotonic())
                thinking.append(scene.match.tick.index == before)
            times += [(after - before) * 1000 for before, after in pairwise(shown)]
    return {
        "frames_per_second": 1000 * len(times) / sum(times),
        "p99_ms": quantiles(times, n=100)[98],
        "bare_p99_ms": quantiles(bare, n=100)[98],
        "thinking_share": sum(thinking) / len(thinking),
    }


def main(games: list[str]) -> None:
    """Print the figures."""
    with display() as screen, tempfile.TemporaryDirectory() as home:
        os.environ.update(screen, ARCADE_HOME=home)
        found = {
            game: {name: round(value, 3) for name, value in measure(game).items()} for game in (games or list(GAMES))
        }
        print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
