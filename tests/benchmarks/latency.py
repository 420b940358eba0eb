"""How long a press takes to become an action, and to be seen.

A second thread puts keys and a pad's buttons down at random moments, as SDL's own events, while the window plays a
game whose picture is its last action.  Prints, the worst of the stretches below each: ``p50_ticks`` (at most 0.6) and
``p99_ticks`` (at most 1.1 and one frame, ``p99_bound_ticks``) from the event to the moment at which the game is
stepped with its action; ``p50_ms`` and ``p99_ms`` of the same; ``p50_frames`` and ``p99_frames``: pictures shown from
the event up to the first in which the change is drawn.  Then each stretch by device and ticks a second.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import quantiles
from typing import TYPE_CHECKING, Any

import numpy as np

from arcade.scenes import routes
from tests.benchmarks.screens import display

if TYPE_CHECKING:
    from arcade.engine.window.engine import Engine

PRESSES = 200
RATES = (60, 15)
DEADLINE = 120.0
HELD = (0.12, 0.2)
REST = (0.12, 0.30)
SHADE = 255


def env(render_mode: str | None = None, fps: int = 60) -> Any:
    """One agent whose picture is black while it does nothing and white while it fires."""
    from gymnasium.spaces import Box, Discrete
    from pettingzoo import ParallelEnv

    class Lamp(ParallelEnv):
        metadata = {"name": "lamp_v0", "render_modes": ["rgb_array"], "render_fps": fps}  # noqa: RUF012
        possible_agents = ["player_0"]  # noqa: RUF012

        def observation_space(self, agent: str) -> Any:
            return Box(0, 1, (1,), np.float32)

        def action_space(self, agent: str) -> Any:
            return Discrete(2)

        def reset(self, seed: int | None = None, options: Any = None) -> Any:
            self.agents, self.lit = list(self.possible_agents), 0
            return self._all(np.zeros(1, np.float32)), self._all({})

        def step(self, actions: dict[str, int]) -> Any:
            self.lit = int(actions["player_0"])
            return self._all(np.zeros(1, np.float32)), self._all(0.0), self._all(False), self._all(False), self._all({})

        def render(self) -> Any:
            return np.full((120, 160, 3), self.lit * SHADE, np.uint8)

        def _all(self, value: Any) -> dict[str, Any]:
            return {"player_0": value}

    return Lamp()


@dataclass
class Press:
    """One press: when it went down, when the game was stepped with it, and how many pictures it took to be seen."""

    down_at: float
    shown_before: int
    stepped_at: float | None = None
    frames: int | None = None


class Trace:
    """What became of the newest press, noted by the game's step and by each picture shown."""

    def __init__(self) -> None:
        self.presses: list[Press] = []
        self.pictures = 0

    def down(self) -> None:
        self.presses.append(Press(time.monotonic(), self.pictures))

    def stepped(self, action: int) -> None:
        if action and self.presses and self.presses[-1].stepped_at is None:
            self.presses[-1].stepped_at = time.monotonic()

    def shown(self, lit: bool) -> None:
        self.pictures += 1
        if lit and self.presses and self.presses[-1].frames is None:
            self.presses[-1].frames = self.pictures - self.presses[-1].shown_before


class Presser(threading.Thread):
    """Puts one thing down and up at random moments."""

    def __init__(self, trace: Trace, set_down: Callable[[bool], None]) -> None:
        super().__init__(name="presser")
        self._trace, self._set_down = trace, set_down
        self._dice = random.Random(7)

    def run(self) -> None:
        for _ in range(PRESSES):
            time.sleep(self._dice.uniform(*REST))
            self._trace.down()
            self._set_down(True)
            time.sleep(self._dice.uniform(*HELD))
            self._set_down(False)


def keyboard() -> Callable[[bool], None]:
    """Space going down and up, as SDL tells of it."""
    import pygame

    def set_down(down: bool) -> None:
        kind = pygame.KEYDOWN if down else pygame.KEYUP
        pygame.event.post(pygame.event.Event(kind, key=pygame.K_SPACE, scancode=pygame.KSCAN_SPACE, mod=0, unicode=" "))

    return set_down


@contextmanager
def hands(device: str) -> Iterator[Callable[[bool], None]]:
    """What presses: a key, or the A of a virtual pad."""
    if device == "keyboard":
        yield keyboard()
        return
    from tests.support.virtual_pad import VirtualPad

    with VirtualPad() as pad:
        yield lambda down: pad.press("a") if down else pad.release("a")


def stretch(device: str, rate: int) -> list[Press]:
    """The presses of one match of `rate` ticks a second."""
    from agents.seats.controller import SeatChoice
    from arcade.games.spec import GameSpec
    from arcade.scenes.app import open_window
    from arcade.scenes.match.match_scene import MatchScene
    from arcade.session.match.setup import WindowOptions
    from arcade.session.settings import Settings

    spec = GameSpec(
        id="bench/lamp",
        title="Lamp",
        entry="tests.benchmarks.latency:env",
        agents=("player_0",),
        teams=(("player_0",),),
        turn_based=False,
        fps=rate,
        kwargs={"fps": rate},
        action_names=("nothing", "fire"),
    )
    opened = open_window(WindowOptions(seed=7), settings=Settings(countdown=False))
    with opened as (engine, services), hands(device) as set_down:
        engine.push(routes.Title())
        turn_until(engine, lambda: services.ready and (device == "keyboard" or engine.devices.pads))
        seat = SeatChoice("keyboard") if device == "keyboard" else SeatChoice("gamepad", "0")
        scene = MatchScene(services, routes.Match(spec, {"player_0": seat}))
        engine.push(scene)
        turn_until(engine, lambda: scene.match is not None and scene.match.frame is not None)
        return press_all(engine, scene, set_down)


def press_all(engine: Engine, scene: Any, set_down: Callable[[bool], None]) -> list[Press]:
    """Play while the other thread presses."""
    trace, step = Trace(), scene.match.stage.step

    def spied(actions: dict[str, int]) -> None:
        trace.stepped(int(actions["player_0"]))
        step(actions)

    scene.match.stage.step = spied
    presser = Presser(trace, set_down)
    end = time.monotonic() + 2.0  # the cards of the first seconds lie over the picture
    turn_until(engine, lambda: time.monotonic() > end)
    presser.start()
    while presser.is_alive() or any(press.frames is None for press in trace.presses[-1:]):
        engine.turn()
        trace.shown(engine.canvas.get_at(engine.canvas.get_rect().center)[0] == SHADE)
    presser.join()
    return trace.presses


def turn_until(engine: Engine, condition: Callable[[], object]) -> None:
    """Frames at the engine's pace until `condition`."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, "expected the match to begin"
        assert type(engine.scene).__name__ != "ErrorScene", engine.scene.message
        engine.turn()


def figures(presses: list[Press], rate: int) -> dict[str, float]:
    """The delays of one stretch; raises where a press was never played.

    A press whose light came and went between two pictures, on a machine that stalled, is unseen.
    """
    lost = sum(press.stepped_at is None for press in presses)
    assert not lost, f"expected every press to be played, got {lost} of {len(presses)} lost"
    seen = [float(press.frames) for press in presses if press.frames is not None]
    delays = [press.stepped_at - press.down_at for press in presses]  # type: ignore[operator]
    p50, p99 = percentiles(delays)
    frames50, frames99 = percentiles(seen)
    return {
        "p50_ticks": p50 * rate,
        "p99_ticks": p99 * rate,
        "p99_bound_ticks": 1.1 + rate / 60,
        "p50_ms": p50 * 1000,
        "p99_ms": p99 * 1000,
        "p50_frames": frames50,
        "p99_frames": frames99,
        "unseen": len(presses) - len(seen),
    }


def percentiles(values: list[float]) -> tuple[float, float]:
    """The 50th and the 99th."""
    cuts = quantiles(values, n=100, method="inclusive")
    return cuts[49], cuts[98]


def main() -> None:
    """Print the figures."""
    found: dict[str, dict[str, float]] = {}
    with display() as screen, tempfile.TemporaryDirectory() as home:
        os.environ.update(screen, ARCADE_HOME=home)
        for rate in RATES:
            for device in ("keyboard", "gamepad"):
                found[f"{device}_{rate}"] = figures(stretch(device, rate), rate)
    worst = {name: max(one[name] for one in found.values()) for name in next(iter(found.values()))}
    rounded = {name: {key: round(value, 3) for key, value in part.items()} for name, part in found.items()}
    print(json.dumps({key: round(value, 3) for key, value in worst.items()} | {"stretches": rounded}))


if __name__ == "__main__":
    main()
