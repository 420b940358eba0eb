"""How many frames a second every screen draws, on a real X server.

Walks all screens as ``make shots`` does.  Each menu is drawn at 1280 x 720 for SECONDS by the engine's own loop, each
match at 1920 x 1080.  Prints ``menu_fps``, the lowest of all menus (60 are asked), and ``match_fps``, the lowest of all
matches (30 are asked), both with the screen's name, and ``menu_ms``, the most processor time of the window's thread
that a frame of a menu takes, by the median of its frames.  ``python -m tests.benchmarks.menus [--list]`` lists each
screen on standard error as it is measured.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.benchmarks.screens import display
from tests.shots.camera import SEED, USUAL, Look, Shots

SECONDS = 1.0
MATCH_SIZE = (1920, 1080)


@dataclass(frozen=True, slots=True)
class Rate:
    """The frames of one screen."""

    screen: str
    is_match: bool
    fps: float
    frame_ms: float  # processor time of a frame, median


class Stopwatch(Shots):
    """Counts the frames of each screen instead of taking its picture."""

    rates: list[Rate]

    def take(self, name: str) -> None:
        is_match = any(scene.plays for scene in self.engine.visible("transparent"))
        self.wear(Look(size=MATCH_SIZE if is_match else USUAL))
        rate = self._measure(name, is_match=is_match)
        self.rates.append(rate)
        if "--list" in sys.argv:
            kind = "match" if is_match else "menu"
            print(f"{rate.fps:6.1f} fps  {rate.frame_ms:5.1f} ms  {kind:5}  {rate.screen}", file=sys.stderr)
        self.wear(Look())

    def _measure(self, name: str, *, is_match: bool) -> Rate:
        engine, spent = self.engine, list[float]()
        engine.rest()  # the frames before may have been drawn ahead of their time
        began, scene = time.monotonic(), engine.scene
        while time.monotonic() < began + SECONDS and engine.scene is scene:
            engine.rest()
            before = time.thread_time()
            engine.frame(engine.clock())
            spent.append(time.thread_time() - before)
        return Rate(name, is_match, len(spent) / (time.monotonic() - began), 1000 * median(spent))


def measure() -> list[Rate]:
    """The rates of all screens."""
    from arcade.scenes.app import open_window
    from arcade.session.match.setup import WindowOptions
    from arcade.session.settings import Settings
    from tests.shots.__main__ import tell_all

    settings = Settings(pause_unfocused=False)  # without a window manager, a change of size loses the focus
    with open_window(WindowOptions(seed=SEED), settings=settings, error_route=None) as (engine, services):
        stopwatch = Stopwatch(engine, services, Path(os.environ["ARCADE_HOME"]), (Look(),))
        stopwatch.rates = []
        tell_all(stopwatch)
    return stopwatch.rates


def main() -> None:
    """Print the figures as one JSON object."""
    with display("1920x1080") as screen, tempfile.TemporaryDirectory() as home:
        os.environ.update(screen, ARCADE_HOME=home)
        rates = measure()
    menus, matches = ([rate for rate in rates if rate.is_match is wanted] for wanted in (False, True))
    menu, match, dearest = (
        min(menus, key=lambda rate: rate.fps), min(matches, key=lambda rate: rate.fps),
        max(menus, key=lambda rate: rate.frame_ms),
    )  # fmt: skip
    print(json.dumps({
        "menu_fps": round(menu.fps, 1), "slowest_menu": menu.screen, "menu_ms": round(dearest.frame_ms, 2),
        "dearest_menu": dearest.screen, "match_fps": round(match.fps, 1), "slowest_match": match.screen,
        "screens": len(rates),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
