"""Scene: one screen on the engine's stack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pygame

from arcade.engine.audio.sound import Sound
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import InputEvent
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.ui.toasts import Toasts
from arcade.engine.window.route import Route
from arcade.engine.window.settings import WindowSettings


class Host(Protocol):
    """What a scene may ask of the window that shows it."""

    settings: Any
    """The application's own; see `WindowSettings` for what the window reads of them."""

    clock: Callable[[], float]
    """Seconds, the same as `now` in every call of a scene."""

    sound: Sound
    devices: DeviceHub
    bindings: KeyBindings
    toasts: Toasts
    """Lines that go away by themselves; `say` adds one."""

    text_entry: bool
    """True while typed letters are text and no menu moves by them."""

    @property
    def scene(self) -> Scene | None:
        """The scene on top."""

    @property
    def canvas(self) -> pygame.Surface:
        """The picture that scenes draw."""

    def push(self, scene: Scene | Route) -> None:
        """Show a scene over this one."""

    def pop(self) -> None:
        """Leave the scene on top."""

    def replace(self, scene: Scene | Route) -> None:
        """Show a scene in the place of the one on top."""

    def reset_to(self, scene: Scene | Route) -> None:
        """Show a scene and leave all others."""

    def return_to(self, route: Route) -> None:
        """Show the scene on top if such a route led to it, else push the one of `route`."""

    def say(self, words: str, *, about: str = "") -> None:
        """Show a line for some seconds, in place of the last one `about` the same."""

    def apply(self, settings: WindowSettings, *, save: bool = True) -> None:
        """Apply `settings` at once, and save them in the background."""

    def where_seen(self, rect: pygame.Rect) -> pygame.Rect:
        """Where on the canvas a part of an enlarged page is seen."""

    def screenshot(self, path: Path | None = None) -> Path:
        """Save the canvas as a PNG."""

    def save_clip(self) -> None:
        """Save the last half minute as a video, in the background."""

    def quit(self) -> None:
        """Close the window after this frame."""


class Scene:
    """One screen.  The engine calls, each on its own thread and never two at once::

        scene.enter(engine)      # it came onto the stack
        scene.resume()           # what lay above it went away
        scene.handle(event)      # each input event, only while it is on top
        scene.update(now)        # once a frame, `now` in seconds of the engine's clock, only while on top
        scene.draw(canvas)       # once a frame; below a transparent scene too
        scene.draw_over(canvas)  # once a frame, only while on top
        scene.rest(now)          # a few times between two frames, only while on top
        scene.leave()            # it left the stack, or the engine closes

    None of them may block.  What they raise ends the scene: the engine shows its error scene instead.
    """

    transparent: bool = False
    """True: the scene below is drawn first."""

    updates_below: bool = False
    """True: the scene below is updated too while this one is on top (a toast over a running match)."""

    plays: bool = False
    """True: while it is on top, controllers hear what is pressed.  A menu over a match plays no move in it."""

    magnified: bool = False
    """True: a page of controls, shown as large as the user's scale says, the part with the `attention` in view."""

    read_first: bool = False
    """True: enlarged, it is shown from its top until something moves, and not from what has the focus."""

    covered: int = 0
    """Pixels at the foot of the canvas that the scene below leaves free."""

    nap: float = 0.004
    """Seconds between two calls of `rest`, at most."""

    shows_error: bool = False
    """True: it shows an error; its own errors end the window."""

    route: Route | None = None
    """What led here."""

    engine: Host

    def enter(self, engine: Host) -> None:
        """Remember `engine`; a subclass that overrides this calls it first."""
        self.engine = engine

    def resume(self) -> None:
        """The scene is on top again."""

    def leave(self) -> None:
        """Free what the scene holds."""

    def handle(self, event: InputEvent) -> bool | None:
        """One input event.  The answer matters for QuitAsked alone: True keeps the window open."""

    def update(self, now: float) -> None:
        """Move on to `now`."""

    def rest(self, now: float) -> None:
        """Between two frames: take what has come meanwhile.  No input is read here; microseconds, not more."""

    @property
    def attention(self) -> tuple[pygame.Rect, ...]:
        """What must be seen where not all of the page is; after it a part of it that matters most, if it has one."""
        return ()

    def due_in(self, now: float) -> float:
        """Seconds until it wants the newest input and an `update` without waiting for the frame; infinity: never."""
        return float("inf")

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw the whole screen; a scene that is not transparent paints over every pixel."""

    def draw_over(self, canvas: pygame.Surface) -> None:
        """Draw what stays in its place on a page of which only a part is seen, in `theme.scaled` sizes."""
