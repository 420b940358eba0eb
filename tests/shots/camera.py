"""Shots: turns the engine by hand until a screen is worth a picture, and takes it in every look."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.seats.controller import SeatChoice
from arcade.engine.capture import save_picture
from arcade.engine.input.events import Device
from arcade.engine.window.engine import Engine
from arcade.engine.window.scene import Scene
from arcade.games.spec import GameSpec
from arcade.scenes.match.picture import GamePicture
from arcade.session.services import Services

SEED = 7
DEADLINE = 300.0
"""Seconds that one picture may take to be ready."""

AI = SeatChoice("scripted")
PERSON = SeatChoice("keyboard")
CHANCE = SeatChoice("random")


@dataclass(frozen=True, slots=True)
class Look:
    """Colours, scale, window and language."""

    palette: str = "night"
    scale: float = 1.0
    size: tuple[int, int] = (1280, 720)
    language: str = "en"

    @property
    def folder(self) -> str:
        name = f"{self.palette}-{self.scale:g}x-{self.size[0]}x{self.size[1]}-{self.language}"
        return name.replace(" ", "-")


SMALL, USUAL, LARGE = (640, 360), (1280, 720), (3840, 2160)
LOOKS = (
    Look("night", 1, USUAL, "en"), Look("night", 2, LARGE, "de"), Look("night", 3, SMALL, "pseudo"),
    Look("daylight", 1, LARGE, "pseudo"), Look("daylight", 2, SMALL, "en"), Look("daylight", 3, USUAL, "de"),
    Look("high contrast", 1, SMALL, "de"), Look("high contrast", 2, USUAL, "pseudo"),
    Look("high contrast", 3, LARGE, "en"),
)  # fmt: skip
"""Every pair of a palette, a scale, a size and a language, in nine looks (an orthogonal array, L9)."""


class Shots:
    """Every picture goes into a folder for each look, the engine's settings being the first look's in between."""

    def __init__(self, engine: Engine, services: Services, folder: Path, looks: Sequence[Look] = LOOKS) -> None:
        self.engine, self.services, self.folder, self.looks = engine, services, folder, looks
        self.taken: list[Path] = []
        self.last_picture: GamePicture | None = None  # of the match that was shown

    def until(self, is_ready: Callable[[], object], *, what: str) -> None:
        """Draw frames until `is_ready`; raises TimeoutError naming `what` was waited for."""
        deadline = time.monotonic() + DEADLINE
        while not is_ready():
            if time.monotonic() > deadline:
                raise TimeoutError(f"expected {what} within {DEADLINE:g} s, got none")
            self.engine.frame(self.engine.clock())
            time.sleep(0.004)

    def take(self, name: str) -> None:
        """A few frames more, then a picture called `name` in each look."""
        for look in (*self.looks[1:], self.looks[0]):
            self.wear(look)
            self.taken.append(save_picture(self.engine.canvas, self.folder / look.folder / f"{name}.png"))

    def wear(self, look: Look) -> None:
        """Show the screen in a look."""
        width, height = look.size
        self.engine.apply(self.engine.settings.changed(
            palette=look.palette, ui_scale=look.scale, language=look.language, window_width=width, window_height=height
        ), save=False)  # fmt: skip
        for _ in range(3):
            self.engine.frame(self.engine.clock())

    def show(self, scene: Scene) -> Scene:
        """Only `scene`, with the title below it gone."""
        self.engine.reset_to(scene)
        return scene

    def game(self, name: str) -> GameSpec:
        """The game of that id."""
        return next(spec for spec in self.services.library.games if spec.id == name)

    @property
    def wasd(self) -> Device:
        """The left half of the keyboard."""
        from arcade.engine.input.default_bindings import KEYBOARD

        return KEYBOARD["wasd"]
