"""From a freeze in the trainer to playing in a running arcade: ``python -m tests.benchmarks.swap``.

A real trainer freezes on request, again and again, while a match of house/volley with a seat on ``snapshot:latest``
runs in the arcade's own window loop, offscreen, 60 frames a second.  `swap_ms` is the median, over at least ten
swaps, of the time from the trainer's first act of freezing until the new policy may play: read, verified and open,
waiting for nothing but the rally's end, at which seats change hands by rule; the wait itself is `rally_ms`, and what
the seat takes from the rally's end to the change is counted in.  `missed_frames` is the median number of 60ths of a
second without a frame in that time.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arcade.scenes import routes

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

SWAPS = 12
DEADLINE = 120.0
GAME = "house/volley"
AGENT = "right_0"
FRAME = 1 / 60
SETTINGS = "freeze.save_steps=0 freeze.win_rate=0 freeze.placement_games=0 evaluation.steps=0"


@contextmanager
def running_trainer(home: Path) -> Iterator[dict[str, Any]]:
    """A trainer at low priority; its endpoints."""
    settings = [word for setting in SETTINGS.split() for word in ("--set", setting)]
    words = [sys.executable, "-m", "trainer", GAME, "--run", "bench", "--nice", "10", *settings]
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        path, end = home / "runs" / "bench" / "endpoints.json", time.monotonic() + DEADLINE
        while not path.exists():
            if child.poll() is not None or time.monotonic() > end:
                raise RuntimeError("expected a trainer that runs, got none")
            time.sleep(0.1)
        yield json.loads(path.read_text())
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(60)
        except subprocess.TimeoutExpired:
            child.kill()


@dataclass
class Screen:
    """The arcade's loop turned by hand, which keeps the time of each frame."""

    engine: Any
    shown: list[float] = field(default_factory=list)

    def frame(self) -> None:
        self.engine.turn()
        self.shown.append(time.time())

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        end = time.monotonic() + DEADLINE
        while not (value := condition()):
            if time.monotonic() > end:
                raise RuntimeError(f"expected {what} within {DEADLINE:g} s, got: {type(self.engine.scene).__name__}")
            self.frame()
        return value

    def missed(self, begin: float, end: float) -> int:
        """60ths of a second without a frame between two times."""
        times = [t for t in self.shown if begin - FRAME <= t <= end + FRAME]
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        return sum(max(0, round(gap / FRAME) - 1) for gap in gaps)


def measure_swap(screen: Screen, services: Any, control: Any, listener: Any) -> dict[str, float]:
    """One match, one freeze, one swap."""
    from agents.seats.kinds import parse_seat
    from arcade.games import find_game
    from arcade.scenes.match.match_scene import MatchScene

    lineup = {"left_0": parse_seat("idle"), AGENT: parse_seat("snapshot:latest")}
    scene = MatchScene(services, routes.Match(find_game(GAME), lineup))
    screen.engine.reset_to(scene)
    screen.until(lambda: scene.match is not None and scene.match.tick and scene.match.tick.index > 30, "a match")
    following = scene.session.following
    listener.poll()
    control.request("freeze")
    event = screen.until(lambda: next((e for e in listener.poll() if e.name == "snapshot_frozen"), None), "a freeze")
    screen.until(lambda: following._loaded or following.swaps, "the snapshot in the arcade")
    ready = rally_over = time.time()
    while not following.swaps:
        points = scene.session.launched.watch.points
        rally_over = time.time()
        screen.frame()
        if following.swaps == 0 and scene.session.launched.watch.points == points and scene.match.over:
            raise RuntimeError("expected a swap before the match was over, got none")
    seated = time.time()
    assert scene.match.mapping[AGENT].label == event.data["name"]
    swap = ready - event.data["began"] + (seated - rally_over)
    return {"swap": swap, "rally": rally_over - ready, "missed": screen.missed(event.data["began"], seated)}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        os.environ["ARCADE_HOME"] = name
        with running_trainer(Path(name)) as endpoints:
            figures = run_swaps(endpoints)
    swaps = [1000 * f["swap"] for f in figures]
    print(
        json.dumps(
            {
                "swap_ms": round(statistics.median(swaps), 1),
                "missed_frames": statistics.median(f["missed"] for f in figures),
                "swaps": len(figures),
                "slowest_ms": round(max(swaps), 1),
                "rally_ms": round(1000 * statistics.median(f["rally"] for f in figures), 1),
            }
        )
    )


def run_swaps(endpoints: dict[str, Any]) -> list[dict[str, float]]:
    from agents.wire.control import ControlClient, EventSubscriber
    from arcade.scenes.app import open_window
    from arcade.session.match.setup import WindowOptions

    with (
        ControlClient(endpoints["control"]) as control,
        EventSubscriber(endpoints["events"]) as listener,
        open_window(WindowOptions()) as (engine, services),
    ):
        screen = Screen(engine)
        engine.push(routes.Title())
        screen.until(lambda: services.ready and services.trainer_status, "an arcade that hears the trainer")
        figures = [measure_swap(screen, services, control, listener) for _ in range(SWAPS)]
    return figures


if __name__ == "__main__":
    main()
