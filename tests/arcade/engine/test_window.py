"""A real window on a real X server, with keys and a mouse that come from outside the process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.support.screen import MISSING, Screen

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

LISTENER = """
import pygame
from arcade.engine.input.events import ControlInput, MenuInput, PointerInput
from arcade.engine.window.engine import Engine
from arcade.engine.window.scene import Scene
from arcade.session.settings import Settings

class Listener(Scene):
    draws = 0
    def handle(self, event):
        if isinstance(event, MenuInput):
            print("menu", event.action, event.device.word, event.repeated, flush=True)
        elif isinstance(event, ControlInput):
            print("control", event.control, event.pressed, event.repeated, flush=True)
        elif isinstance(event, PointerInput) and event.kind == "press":
            print("click", *event.pos, flush=True)
    def draw(self, canvas):
        canvas.fill((200, 40, 40))
        if canvas.get_size() == (640, 360):
            print("sized", *canvas.get_size(), flush=True)
        self.draws += 1
        if self.draws == 2:
            print("window", pygame.display.get_wm_info()["window"], flush=True)
            print("drawn", *self.engine.video.size, flush=True)

with Engine(title="listener", settings=Settings()) as engine:
    engine.push(Listener())
    engine.run()
print("closed", flush=True)
"""


class Lines:
    """What a program prints, line by line, with a deadline."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.seen: list[str] = []
        self._process = process
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.seen.append(line.strip())

    def wait(self, line: str, *, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while line not in self.seen:
            assert time.monotonic() < deadline, f"expected {line!r}, got: {self.seen}"
            assert self._process.poll() is None or line in self.seen or self._reader.is_alive(), self.seen
            threading.Event().wait(0.02)


@pytest.fixture
def listener(tmp_path):
    root = Path(__file__).parents[3]
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    with Screen(tmp_path, size="1400x900") as screen:
        environment = os.environ | screen.environment
        environment |= {"PYTHONPATH": path, "ARCADE_HOME": str(tmp_path), "PYTHONWARNINGS": "ignore"}
        process = subprocess.Popen(
            [sys.executable, "-c", LISTENER], env=environment, stdout=subprocess.PIPE, text=True, cwd=tmp_path
        )
        lines = Lines(process)
        lines.wait("drawn 1280 720")
        window = next(line.split()[1] for line in lines.seen if line.startswith("window"))
        yield lines, screen.xdotool, window
        process.kill()
        process.wait(60)


def test_keys_and_the_mouse_arrive_and_a_held_key_is_one_press(listener):
    lines, xdotool, window = listener
    xdotool("windowfocus", window)
    xdotool("mousemove", "--window", window, 640, 360, "click", 1)
    lines.wait("click 640 360")
    xdotool("key", "Down")
    lines.wait("menu down keyboard:arrows False")
    xdotool("keydown", "w")
    lines.wait("menu up keyboard:wasd True")  # our own repeat, while the X server repeats the key as well
    xdotool("keyup", "w")
    lines.wait("control up False False")
    assert lines.seen.count("control up True False") == 1
    xdotool("key", "Return")
    lines.wait("menu accept keyboard:arrows False")


def test_another_size_keeps_the_picture_and_the_mouse_in_step(listener):
    lines, xdotool, window = listener
    xdotool("windowsize", window, 640, 360)
    lines.wait("sized 640 360")
    xdotool("mousemove", "--window", window, 160, 80, "click", 1)
    lines.wait("click 160 80")
