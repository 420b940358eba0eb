"""A real engine on SDL's dummy drivers, its clock turned by hand."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ.setdefault("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")

import pygame
import pytest

from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.events import InputEvent, MenuInput, PointerInput
from arcade.engine.window.engine import Engine
from arcade.engine.window.scene import Scene
from arcade.session.settings import Settings, save_settings


class RecordingScene(Scene):
    """Keeps every event and counts its turns."""

    plays = True

    def __init__(self) -> None:
        self.events: list[InputEvent] = []
        self.updates: list[float] = []
        self.draws = self.leaves = self.resumes = 0

    def handle(self, event: InputEvent) -> bool | None:
        self.events.append(event)
        return None

    def update(self, now: float) -> None:
        self.updates.append(now)

    def draw(self, canvas: pygame.Surface) -> None:
        self.draws += 1
        canvas.fill((10, 20, 30))

    def resume(self) -> None:
        self.resumes += 1

    def leave(self) -> None:
        self.leaves += 1

    def of(self, kind: type) -> list:
        return [event for event in self.events if isinstance(event, kind)]


class Turns:
    """The engine, with a clock that moves when told."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []
        keywords = {"settings": Settings(), "save_settings": save_settings}
        self.engine = Engine(clock=lambda: self.now, sleep=self._sleep, **keywords)
        self.scene = RecordingScene()
        self.engine.push(self.scene)
        self.frame()  # the window's first events
        self.scene.events.clear()

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def frame(self, seconds: float = 1 / 60) -> None:
        self.now += seconds
        self.engine.frame(self.now)

    def key(self, key: int, *, down: bool = True, mod: int = 0) -> None:
        """A key event as pygame makes it."""
        kind = pygame.KEYDOWN if down else pygame.KEYUP
        pygame.event.post(pygame.event.Event(kind, key=key, mod=mod, unicode="", scancode=0))

    def tap(self, key: int, *, mod: int = 0) -> None:
        self.key(key, mod=mod)
        self.key(key, down=False)

    def post(self, kind: int, **fields: object) -> None:
        pygame.event.post(pygame.event.Event(kind, **fields))


@pytest.fixture
def turns(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    pygame.display.init()
    pygame.event.clear()
    turns = Turns()
    yield turns
    turns.engine.close()


@pytest.fixture
def menu():
    """Builds a menu step as a keyboard half makes it."""
    return lambda action, repeated=False: MenuInput(action, KEYBOARD["wasd"], repeated)


@pytest.fixture
def click():
    """Builds the two events of a click."""
    return lambda pos: [PointerInput("press", pos, button=1), PointerInput("release", pos, button=1)]
