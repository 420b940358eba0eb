"""A match in the arcade follows a real trainer that is stopped, killed and resumed: it plays on all the while."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from agents.seats.kinds import parse_seat
from agents.wire.control import ControlClient
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.app import open_window
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.match.setup import WindowOptions

DEADLINE = 300.0
GAME = "house/volley"
AGENT = "right_0"
LINEUP = {"left_0": parse_seat("idle"), AGENT: parse_seat("snapshot:latest")}
SMALL = "resources.games=8 training.batch=512 training.minibatch=256 evaluation.steps=0"
QUIET = "freeze.save_steps=0 freeze.win_rate=0"


class Window:
    """The arcade's loop turned by hand; a match that ends is followed by another."""

    def __init__(self, engine, services):
        self.engine, self.services = engine, services
        self.played = 0  # ticks, all matches together
        self.scene = None
        self._index = 0

    def until(self, condition, what):
        end = time.monotonic() + DEADLINE
        while not (value := condition()):
            assert time.monotonic() < end, f"expected {what} within {DEADLINE} s, got: {self.engine.scene}"
            self.frame()
        return value

    def frame(self):
        self.engine.turn()
        match = self.scene and self.scene.match
        if self.services.ready and (self.scene is None or (match and match.over)):
            assert match is None or match.error is None
            self.scene, self._index = MatchScene(self.services, routes.Match(find_game(GAME), LINEUP)), 0
            self.engine.reset_to(self.scene)
        elif match and match.tick:
            assert self.engine.scene is self.scene
            self.played += match.tick.index - self._index
            self._index = match.tick.index

    def play(self, ticks):
        goal = self.played + ticks
        self.until(lambda: self.played >= goal, f"{ticks} ticks more")

    @property
    def label(self):
        match = self.scene and self.scene.match
        return match.mapping[AGENT].label if match else ""


@pytest.fixture
def window(arcade_home, monkeypatch):
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER"):
        monkeypatch.setitem(os.environ, name, "dummy")
    with open_window(WindowOptions()) as (engine, services):
        engine.push(routes.Title())
        yield Window(engine, services)
        engine.close()


@contextmanager
def running_trainer(home, window, *words):
    """A trainer that the window hears."""
    child = subprocess.Popen([sys.executable, "-m", "trainer", *words], stdout=subprocess.DEVNULL)
    try:
        window.until(lambda: window.services.trainer_status or child.poll() is not None, "a trainer that is heard")
        assert child.poll() is None
        yield child, json.loads((home / "runs/one/endpoints.json").read_text())
    finally:
        child.kill()
        child.wait()


def test_a_match_plays_on_while_the_trainer_is_stopped_killed_and_resumed(arcade_home, window):
    settings = [word for setting in f"{SMALL} {QUIET}".split() for word in ("--set", setting)]
    with running_trainer(arcade_home, window, GAME, "--run", "one", *settings) as (child, _):
        window.until(lambda: window.services.trainer_status.step > 0, "metrics")
        window.play(30)
        child.send_signal(signal.SIGSTOP)
        window.play(120)
        child.send_signal(signal.SIGCONT)
        step = window.services.trainer_status.step
        window.until(lambda: window.services.trainer_status.step > step, "metrics again")
        child.kill()
        child.wait()
        window.until(lambda: window.services.trainer_status is None, "no more word of the trainer")
        window.play(60)
    with running_trainer(arcade_home, window, "--resume", "one") as (child, endpoints):
        with ControlClient(endpoints["control"]) as control:
            window.until(lambda: window.services.trainer_status.step > 0, "metrics")
            names = {path.name for path in (arcade_home / "snapshots").rglob("one-*")}
            control.request("freeze")
            window.until(lambda: window.label.startswith("one-") and window.label not in names, "the new snapshot")
        child.kill()
        child.wait()
        window.play(60)
