"""Scene: a screen on the engine's stack, and the Host that shows it."""

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
    """The window as scenes see it."""

    settings: Any  # the application's own; the window reads WindowSettings
    clock: Callable[[], float]  # seconds, the same as `now` in every call of a scene
    sound: Sound
    devices: DeviceHub
    bindings: KeyBindings
    toasts: Toasts  # messages; `say` adds one
    text_entry: bool  # printing keys are text and move no menu

    @property
    def scene(self) -> Scene | None:
        """The scene on top."""

    @property
    def canvas(self) -> pygame.Surface:
        """The picture that scenes draw on."""

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
        """Show a message for a few seconds, in place of an earlier one `about` the same topic."""

    def apply(self, settings: WindowSettings, *, save: bool = True) -> None:
        """Apply `settings` at once, and save them in the background."""

    def where_seen(self, rect: pygame.Rect) -> pygame.Rect:
        """Return the place on the canvas of a part of an enlarged page."""

    def screenshot(self, path: Path | None = None) -> Path:
        """Save the canvas as a PNG."""

    def save_clip(self) -> None:
        """Save the last half minute as a video, in the background."""

    def quit(self) -> None:
        """Close the window after this frame."""


class Scene:
    """One screen.  The engine calls, on one thread::

        scene.enter(engine)      # the scene is on the stack
        scene.resume()           # the scene is on top again
        scene.handle(event)      # each input event, only while on top
        scene.update(now)        # once a frame, `now` in seconds of the engine's clock, only while on top
        scene.draw(canvas)       # once a frame; below a transparent scene too
        scene.draw_over(canvas)  # once a frame, only while on top
        scene.rest(now)          # a few times between two frames, only while on top
        scene.leave()            # the scene left the stack, or the engine closes

    None of them may block.  After an error the engine shows its error scene instead.
    """

    transparent: bool = False  # the scene below is drawn first
    updates_below: bool = False  # the scene below is updated too, as under a message over a running match
    plays: bool = False  # controllers hear input while the scene is on top; a menu over a match plays no move in it
    magnified: bool = False  # a page at the user's scale, with the `attention` in view
    read_first: bool = False  # an enlarged page starts at its top instead of its focus
    covered: int = 0  # pixels at the foot of the canvas that the scene below leaves free
    nap: float = 0.004  # most seconds between two calls of `rest`
    shows_error: bool = False  # its own errors end the window
    route: Route | None = None  # the route that led here
    engine: Host

    def enter(self, engine: Host) -> None:
        """Store `engine`; overriding methods call this one first."""
        self.engine = engine

    def resume(self) -> None:
        """Return to the top."""

    def leave(self) -> None:
        """Free the scene's resources."""

    def handle(self, event: InputEvent) -> bool | None:
        """Handle an input event; for QuitAsked, True keeps the window open."""

    def update(self, now: float) -> None:
        """Advance to `now`."""

    def rest(self, now: float) -> None:
        """Do microseconds of work between two frames."""

    @property
    def attention(self) -> tuple[pygame.Rect, ...]:
        """The part of an enlarged page to keep in view, then its most important part."""
        return ()

    def due_in(self, now: float) -> float:
        """Return the seconds until an `update` with the newest input before the next frame; infinity: never."""
        return float("inf")

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw the screen, all of it unless transparent."""

    def draw_over(self, canvas: pygame.Surface) -> None:
        """Draw the fixed parts over an enlarged page, in `theme.scaled` sizes."""
