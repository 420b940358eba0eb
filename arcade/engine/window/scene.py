"""Scene: a screen of the window.  Route: leads to one.  Host: the stack of scenes, as scenes see the window."""

from __future__ import annotations

import logging
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, dataclass_transform

import pygame

from arcade.engine.audio.narrator import Narrator
from arcade.engine.audio.sound import Sound
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import MOUSE, Device, InputEvent
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.input.pad_families import Family
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.toasts import Toasts


class WindowSettings(Protocol):
    """Any frozen settings class with these fields."""

    @property
    def palette(self) -> str: ...
    @property
    def ui_scale(self) -> float: ...
    @property
    def language(self) -> str: ...
    @property
    def window_width(self) -> int: ...
    @property
    def window_height(self) -> int: ...
    @property
    def fullscreen(self) -> bool: ...
    @property
    def reduce_flashing(self) -> bool: ...
    @property
    def reduce_motion(self) -> bool: ...
    @property
    def captions(self) -> bool: ...
    @property
    def volume(self) -> float: ...
    @property
    def game_volume(self) -> float: ...
    @property
    def menu_volume(self) -> float: ...
    @property
    def music_volume(self) -> float: ...
    @property
    def mute(self) -> bool: ...
    @property
    def narrator(self) -> bool: ...
    @property
    def vsync(self) -> bool: ...
    @property
    def button_glyphs(self) -> str: ...
    @property
    def frame_limit(self) -> int: ...
    @property
    def vibration(self) -> bool: ...
    @property
    def stick_dead_zone(self) -> float: ...
    @property
    def stick_curve(self) -> float: ...
    @property
    def opposites(self) -> str: ...

    def changed(self, **changes: Any) -> Self:
        """Return a copy with these fields changed."""
        ...


_log = logging.getLogger(__name__)


@dataclass_transform(frozen_default=True)
class Route:
    """Names a scene and its arguments without an import of it; `Host.open_route` makes the scene."""

    scene: ClassVar[str]
    """The module below arcade.scenes and the class: "home.title:TitleScene"."""

    def __init_subclass__(cls, *, scene: str) -> None:
        cls.scene = scene
        dataclass(eq=False, repr=False)(cls)  # frozen for mypy only: each other method delays the first frame


ErrorRoute = Callable[[BaseException, str], Route]  # from an exception and its traceback to the error scene


class Scene:
    """One screen.  The engine calls, on one thread::

        scene.enter(engine)      # the scene is on the stack
        scene.resume()           # the scene is on top again
        scene.announce()         # after either: what the narrator reads
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
    passes_presses: bool = False  # the match below gets what its players press, as under the bar that slows it down
    plays: bool = False  # controllers get input while the scene is on top; a menu over a match plays no move in it
    covered: tuple[int, int] = (
        0,
        0,
    )  # pixels at the right and at the foot of the canvas that the scene below leaves free
    is_large: bool = False  # holds pictures or a game: its memory is freed as soon as it is left
    nap: float = 0.004  # most seconds between two calls of `rest`
    shows_error: bool = False  # its own errors end the window
    route: Route | None = None  # the route that led here
    engine: Host

    def enter(self, engine: Host) -> None:
        """Store `engine`; overriding methods call this one first."""
        self.engine = engine

    def resume(self) -> None:
        """Return to the top."""

    def announce(self) -> None:
        """Let the narrator read the screen."""

    def leave(self) -> None:
        """Free the scene's resources."""

    def handle(self, event: InputEvent) -> bool | None:
        """Handle an input event; for QuitAsked, True keeps the window open."""

    def update(self, now: float) -> None:
        """Advance to `now`."""

    def rest(self, now: float) -> None:
        """Do microseconds of work between two frames."""

    def due_in(self, now: float) -> float:
        """Return the seconds until an `update` with the newest input before the next frame; infinity: never."""
        return float("inf")

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw the screen, all of it unless transparent."""

    def draw_over(self, canvas: pygame.Surface) -> None:
        """Draw the parts over the screen that a scene above it does not show, such as messages."""


class Host(ABC):
    """The window as scenes see it, with the stack of them.

    Changes of the stack are immediate, and only the top scene gets the rest of a frame's events.  After an error the
    error scene replaces the stack.
    """

    settings: Any  # the application's own; the window reads WindowSettings
    theme: Theme  # colours and sizes for the window's present size and the user's scale
    open_route: Callable[[Route], Scene]  # set by the application before the first route
    clock: Callable[[], float]  # seconds, the same as `now` in every call of a scene
    sound: Sound
    narrator: Narrator  # off unless set
    devices: DeviceHub
    bindings: KeyBindings
    toasts: Toasts  # messages; `say` adds one
    last_device: Device = MOUSE  # used last
    hint_family: Family = "keyboard"  # whose buttons the hints show
    text_entry: bool  # printing keys are text and move no menu

    def __init__(self, error_route: ErrorRoute | None) -> None:
        self.running = True
        self.error_route = error_route
        self._stack: list[Scene] = []
        self._left_large = False  # a large scene was left, and its memory not freed yet

    @property
    def scene(self) -> Scene | None:
        """The scene on top."""
        return self._stack[-1] if self._stack else None

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The stack, the top last."""
        return tuple(self._stack)

    def push(self, scene: Scene | Route) -> None:
        """Put `scene`, or the one of a route, on top."""
        self.guard(lambda: self._push(self._made(scene)))

    def return_to(self, route: Route) -> None:
        """Show the scene on top if such a route led to it, else push the one of `route`."""
        if self.scene is None or type(self.scene.route) is not type(route):
            self.push(route)

    def pop(self) -> None:
        """Remove the top scene; an empty stack ends the loop."""
        self._release_input()
        if self._stack:
            self._leave(self._stack.pop())
        if self._stack:
            self.guard(self._stack[-1].resume)
            self._announce()
        else:
            self.running = False

    def replace(self, scene: Scene | Route) -> None:
        """Put `scene` in the place of the top one."""
        self._release_input()
        if self._stack:
            self._leave(self._stack.pop())
        self.push(scene)

    def reset_to(self, scene: Scene | Route) -> None:
        """Replace all scenes by `scene`."""
        self._leave_all()
        self.push(scene)

    def visible(self, passes: str) -> list[Scene]:
        """Return the top scene and those below it down to the first without the flag `passes`, lowest first."""
        found: list[Scene] = []
        for scene in reversed(self._stack):
            found.append(scene)
            if not getattr(scene, passes):
                break
        return found[::-1]

    def guard(self, call: Callable[[], object]) -> object:
        """Run a scene's code; after an error the error scene replaces the stack."""
        try:
            return call()
        except Exception as error:
            details = "".join(traceback.format_exception(error))
            _log.error("a scene failed: %s", details)
            if self.error_route is None or getattr(self.scene, "shows_error", False):
                raise
            scene = self._made(self.error_route(error, details))
            scene.shows_error = scene.is_large = True  # its error refers to the scene that failed
            self.reset_to(scene)
            return None

    def say(self, text: str, *, about: str = "") -> None:
        """Show a message for a few seconds, in place of an earlier one `about` the same topic, and read it."""
        self.toasts.say(text, about=about)
        self.narrator.say(text, interrupt=False)

    def quit(self) -> None:
        """End the loop after this frame."""
        self.running = False

    @property
    @abstractmethod
    def canvas(self) -> pygame.Surface:
        """The window's surface."""

    @abstractmethod
    def apply(self, settings: WindowSettings, *, save: bool = True) -> None:
        """Apply `settings` at once, and save them in the background."""

    @abstractmethod
    def save_clip(self) -> None:
        """Save the last half minute of the screen as a video, in the background."""

    @abstractmethod
    def _release_input(self) -> None:
        """Release everything held."""

    def _made(self, scene: Scene | Route) -> Scene:
        return scene if isinstance(scene, Scene) else self.open_route(scene)

    def _push(self, scene: Scene) -> None:
        self._release_input()
        self._stack.append(scene)
        scene.enter(self)
        self._announce()

    def _announce(self) -> None:
        if self.narrator.is_on and self.scene is not None:
            self.scene.announce()

    def _leave_all(self) -> None:
        while self._stack:
            self._leave(self._stack.pop())

    def _leave(self, scene: Scene) -> None:
        self._left_large |= scene.is_large
        try:
            scene.leave()
        except Exception:  # noqa: BLE001  (the next scene must follow in any case)
            _log.exception("a scene failed to leave: %s", type(scene).__name__)
