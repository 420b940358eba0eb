"""How evenly a match is drawn: four seats, two of them remote, recording and HUD on, 60 frames a second.

Prints ``p99_ratio`` (at most 1.25): the p99 frame interval of the match over that of a bare pygame loop that flips
the same surface; and ``stall_ratio`` (at most 1.5): the latest frame interval in a stretch of 2 s while the policy
server is stopped (SIGSTOP) over the latest in an equal stretch while it runs, median over the rounds.  The three
kinds of stretch take turns in one process, on one window.  ``late_share``: the share of the turns of the remote seats
that were answered late while the server ran, median over the rounds.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from arcade.scenes import routes
from tests.benchmarks.screens import display

if TYPE_CHECKING:
    from arcade.engine.window.engine import Engine
    from arcade.scenes.match.match_scene import MatchScene

ROUNDS = 9
STRETCH = 2.0
DEADLINE = 120.0

SERVER = """
import agents
agents.serve(lambda observation, mask, rng: int(rng.integers(6)), endpoint="tcp://127.0.0.1:*",
             ready=lambda endpoint: print(endpoint, flush=True))
"""


@contextmanager
def policy_server() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A policy server in a child, and where it listens."""
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert server.stdout is not None
        yield server, server.stdout.readline().strip()
    finally:
        server.kill()
        server.wait(60)


@contextmanager
def long_match(endpoint: str) -> Iterator[tuple[Engine, MatchScene]]:
    """A running match of volley doubles that nobody wins soon, in a window: a person, a script, two remote seats."""
    from agents.seats.controller import SeatChoice
    from arcade.games import find_game
    from arcade.scenes.app import open_window
    from arcade.scenes.match.match_scene import MatchScene
    from arcade.session.match.setup import WindowOptions

    with open_window(WindowOptions(seed=7, record=True)) as (engine, services):
        engine.push(routes.Title())
        turn_until(engine, lambda: services.ready)
        game = find_game("house/volley_2v2")
        spec = replace(game, kwargs={**game.kwargs, "points": 10_000, "max_ticks": 10**6})
        remote = SeatChoice("remote", endpoint)
        seats = (SeatChoice("keyboard"), remote, SeatChoice("scripted"), remote)
        engine.apply(engine.settings.changed(hud={"mind": True}), save=False)
        scene = MatchScene(services, routes.Match(spec, dict(zip(spec.agents, seats, strict=True))))
        engine.push(scene)
        turn_until(engine, lambda: scene.match is not None and scene.match.tick is not None)
        turn_until(engine, lambda: all(c.rtt_ms is not None for c in remotes(scene)))
        yield engine, scene


def remotes(scene: MatchScene) -> list[Any]:
    """The controllers of the seats that a policy server plays."""
    return [controller for controller in scene.match.mapping.values() if hasattr(controller, "rtt_ms")]


def turn_until(engine: Engine, condition) -> None:
    """Frames at the engine's pace until `condition`."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, "expected the match to begin"
        assert type(engine.scene).__name__ != "ErrorScene", engine.scene.message
        engine.turn()


def late_and_ticks(scene: MatchScene) -> tuple[int, int]:
    """Late answers of all seats, and ticks, so far."""
    return sum(scene.match.late.values()), scene.match.tick.index


def play(engine: Engine) -> list[float]:
    """Milliseconds between the frames of a stretch of the match, each at the moment when it has been shown."""
    shown: list[float] = []
    present = engine.video.present

    def noted() -> None:
        present()
        shown.append(time.monotonic())

    engine.video.present = noted  # type: ignore[method-assign]
    while not shown or shown[-1] < shown[0] + STRETCH:
        engine.turn()
    del engine.video.present  # type: ignore[method-assign]
    return [(after - before) * 1000 for before, after in pairwise(shown)]


def flip(engine: Engine) -> list[float]:
    """The same of a bare loop that flips the same surface."""
    import pygame

    clock, times = pygame.time.Clock(), []
    end = time.monotonic() + STRETCH
    while time.monotonic() < end:
        clock.tick(60)
        pygame.event.get()
        pygame.display.flip()
        times.append(time.monotonic())
    return [(b - a) * 1000 for a, b in itertools.pairwise(times)]


def measure() -> dict[str, float]:
    """Bare, running, stopped, in turns."""
    bare: list[float] = []
    match: list[float] = []
    stalls: list[float] = []
    late_shares: list[float] = []
    with policy_server() as (server, endpoint), long_match(endpoint) as (engine, scene):
        for _ in range(ROUNDS):
            bare += flip(engine)
            before = late_and_ticks(scene)
            running = play(engine)
            late, ticks = (after - was for after, was in zip(late_and_ticks(scene), before, strict=True))
            late_shares.append(late / (len(remotes(scene)) * ticks))
            match += running
            server.send_signal(signal.SIGSTOP)
            stopped = play(engine)
            server.send_signal(signal.SIGCONT)
            stalls.append(max(stopped) / max(running))
            turn_until(engine, lambda: not any(c.silent for c in remotes(scene)))
        assert not scene.match.over
        late = [scene.match.late[agent] for agent, seat in scene.match.mapping.items() if hasattr(seat, "rtt_ms")]
        assert min(late) > ROUNDS * STRETCH * 30, "expected the stopped server to make seats late"
    p99 = quantiles(match, n=100)[98], quantiles(bare, n=100)[98]
    return {
        "p99_ratio": p99[0] / p99[1],
        "stall_ratio": median(stalls),
        "late_share": median(late_shares),
        "p99_ms": p99[0],
        "bare_p99_ms": p99[1],
        "frames_per_second": 1000 * len(match) / sum(match),
    }


def main() -> None:
    """Print the figures."""
    with display() as screen, tempfile.TemporaryDirectory() as home:
        os.environ.update(screen, ARCADE_HOME=home)
        print(json.dumps({name: round(value, 3) for name, value in measure().items()}))


if __name__ == "__main__":
    main()
