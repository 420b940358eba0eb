"""One arcade without a screen, and hands to play it with: a keyboard, one pad, a mouse."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pygame
import pytest

from arcade.engine.ui.menus import ListMenu
from arcade.engine.ui.widgets import Widget
from arcade.engine.window.engine import Engine
from arcade.scenes.dialogs.error import ErrorScene
from arcade.scenes.home.title import TitleScene
from arcade.scenes.lobby import Lobby
from arcade.session.options import WindowOptions
from arcade.session.settings import Settings, save_settings
from tests.support.virtual_pad import VirtualPad

DEADLINE = 60.0


class Sitting:
    """An engine turned by hand, with a lobby; ends with the test."""

    def __init__(self, opening: WindowOptions, **engine: Any) -> None:
        """`engine` goes to the Engine: a clock turned by hand, say."""
        keywords = {"settings": Settings(), "save_settings": save_settings} | engine
        self.engine = Engine(error_scene=lambda error, words: ErrorScene(self.lobby, error, words), **keywords)
        self.lobby = Lobby(self.engine, opening)

    @property
    def on(self) -> str:
        """The kind of the scene on top."""
        return type(self.engine.scene).__name__

    def frame(self, count: int = 1) -> None:
        for _ in range(count):
            self.engine.rest()
            self.engine.frame(self.engine.clock())

    def until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < deadline, f"expected {what}, got {self.on}: {self.words()}"
            self.frame()

    def words(self) -> str:
        scene = self.engine.scene
        return f"{getattr(scene, 'heading', '')} {getattr(scene, 'message', '')} {getattr(scene, 'lines', '')}"

    def widget(self, words: str) -> Widget:
        """Where these words stand, once a press there is heard."""
        self.until(lambda: getattr(self.engine.scene, "listens", True), "a page that listens")
        found = [w for w in self.engine.scene.focus.widgets if getattr(w, "words", "").startswith(words)]
        assert found, f"expected {words!r} on {self.on}"
        return found[0]

    def close(self) -> None:
        self.engine.close()
        self.lobby.close()


class FairClock:
    """Moves on as the loop sleeps, but stands while a tick or an answer is on its way, on however slow a machine."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.match = None
        self._naps = 0

    def read(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        time.sleep(0.001)
        if self.match is not None and self.match.stepping:
            self._naps += 1
            assert self._naps < 20_000, "expected the tick to be taken between two frames"
            return
        self._naps = 0
        if self.match is not None:
            self._wait_for_answers()
        self.now += seconds

    def _wait_for_answers(self) -> None:
        deadline = time.monotonic() + DEADLINE
        for controller in self.match.mapping.values():
            while controller.act() is None:
                assert time.monotonic() < deadline, "expected an answer to the newest turn before the next frame"
                controller.wait(0.01)


class Hand:
    """What every way of playing can do."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting

    def press(self, action: str) -> None:
        raise NotImplementedError

    def choose(self, words: str) -> None:
        """Go to the widget with these words by directions alone and press it."""
        self.reach(self.sitting.widget(words))
        self.press("accept")

    def reach(self, target: Widget) -> None:
        """Go there; a page may make its widgets anew meanwhile, in the same places."""
        for _ in range(40):
            here = self._focused
            if here.rect == target.rect:
                return
            dx, dy = target.rect.centerx - here.rect.centerx, target.rect.centery - here.rect.centery
            upright = ("down" if dy > 0 else "up", "right" if dx > 0 else "left")
            in_column = dy and here.rect.left < target.rect.right and target.rect.left < here.rect.right
            first, second = upright if in_column or abs(dy) >= abs(dx) else upright[::-1]
            self.press(first)
            if self._focused.rect == here.rect:
                self.press(second)
        raise AssertionError(f"expected to reach {target.words!r}, stuck on {self._focused.words!r}")

    @property
    def _focused(self) -> Widget:
        return self.sitting.engine.scene.focus.focused

    def pick_row(self, index: int) -> None:
        """Take row `index` of the list on the screen."""
        menu = next(w for w in self.sitting.engine.scene.focus.widgets if isinstance(w, ListMenu))
        for _ in range(index - menu.index):
            self.press("down")
        self.press("accept")

    def pause(self) -> None:
        self.press("start")


class KeyboardHand(Hand):
    KEYS: ClassVar = {
        "up": pygame.K_UP,
        "down": pygame.K_DOWN,
        "left": pygame.K_LEFT,
        "right": pygame.K_RIGHT,
        "accept": pygame.K_RETURN,
        "back": pygame.K_ESCAPE,
        "start": pygame.K_ESCAPE,
    }

    def press(self, action: str) -> None:
        self.key(self.KEYS[action])

    def key(self, key: int) -> None:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=key, mod=0, unicode="", scancode=0))
            self.sitting.frame()

    def type(self, text: str) -> None:
        for letter in text:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=ord(letter), mod=0, unicode=letter, scancode=0))
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=letter))
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=ord(letter), mod=0, unicode=letter, scancode=0))
        self.sitting.frame()


class PadHand(Hand):
    BUTTONS: ClassVar = {"accept": "a", "back": "b"}

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self.pad = VirtualPad()
        sitting.until(lambda: sitting.engine.devices.pads, "a pad")

    def press(self, action: str) -> None:
        button = self.BUTTONS.get(action, action)
        self.pad.press(button)
        self.sitting.frame(2)
        self.pad.release(button)
        self.sitting.frame(2)


class MouseHand(Hand):
    def choose(self, words: str) -> None:
        self.click(self.sitting.widget(words).rect.center)

    def move(self, pos: tuple[int, int]) -> None:
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
        self.sitting.frame()

    def click(self, pos: tuple[int, int]) -> None:
        self.move(pos)
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=pos, button=1))
            self.sitting.frame()

    def pick_row(self, index: int) -> None:
        menu = next(w for w in self.sitting.engine.scene.focus.widgets if isinstance(w, ListMenu))
        self.click((menu.rect.centerx, menu.rect.top + menu.ROW * (index - menu.top) + 20))

    def pause(self) -> None:
        self.click(self.sitting.engine.scene.pause_button.center)


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))


@pytest.fixture
def sit() -> Iterator[Callable[..., Sitting]]:
    """Makes a Sitting on the title, the slow parts loaded."""
    sittings: list[Sitting] = []

    def make(engine: dict[str, Any] | None = None, **opening: object) -> Sitting:
        sitting = Sitting(WindowOptions(**{"seed": 7, **opening}), **(engine or {}))  # type: ignore[arg-type]
        sittings.append(sitting)
        sitting.engine.push(TitleScene(sitting.lobby))
        sitting.until(lambda: sitting.lobby.ready, "the lobby to be ready")
        return sitting

    yield make
    for sitting in sittings:
        sitting.close()


@pytest.fixture
def fair_clock() -> FairClock:
    return FairClock()


@pytest.fixture(params=["keyboard", "pad", "mouse"])
def make_hand(request: pytest.FixtureRequest) -> Callable[[Sitting], Hand]:
    """Each way of playing in turn."""
    return {"keyboard": KeyboardHand, "pad": PadHand, "mouse": MouseHand}[request.param]


@pytest.fixture
def keyboard() -> type[KeyboardHand]:
    return KeyboardHand


@pytest.fixture
def pad() -> type[PadHand]:
    return PadHand


@pytest.fixture
def mouse() -> type[MouseHand]:
    return MouseHand
