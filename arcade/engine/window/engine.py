"""Engine: the window's one loop, and the stack of scenes it turns."""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
import traceback
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pygame

from agents.files import NewestWriter
from agents.home import folder
from arcade.engine.audio.captions import Captions
from arcade.engine.audio.sound import Sound
from arcade.engine.capture.clips import ClipRecorder
from arcade.engine.input import sources
from arcade.engine.input.bindings_file import WHAT, load_changes, save_changes
from arcade.engine.input.devices import DeviceHub
from arcade.engine.input.events import (
    DeviceAdded,
    DeviceRemoved,
    FocusLost,
    InputEvent,
    KeyInput,
    QuitAsked,
    SourceInput,
)
from arcade.engine.input.gamepads import Gamepads
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.input.pygame_events import InputTranslator
from arcade.engine.ui import theme
from arcade.engine.ui.toasts import Toasts
from arcade.engine.window.frame_pacer import FramePacer
from arcade.engine.window.presenter import Presenter
from arcade.engine.window.route import Route
from arcade.engine.window.scene import Scene
from arcade.engine.window.settings import WindowSettings
from arcade.engine.window.video import Display, save_picture

ErrorRoute = Callable[[BaseException, str], Route]
"""Leads to the scene that shows an error: the exception and its traceback as text."""

_log = logging.getLogger(__name__)


class Engine:
    """Window, devices, sound and a stack of scenes; a context manager::

        with Engine(title="PettingZoo Arcade", settings=settings, error_route=routes.Failed) as engine:
            engine.open_route = lambda route: make_scene(services, route)
            engine.push(routes.Title())
            engine.run()                      # until the stack is empty or the window is closed

    A test or a benchmark turns it by hand with ``engine.frame(now)``.  Changes of the stack asked for inside a
    scene happen at once; whoever is no longer on top gets no further events of that turn.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        title: str = "PettingZoo Arcade",
        settings: WindowSettings,
        save_settings: Callable[[Any], None] = lambda settings: None,
        error_route: ErrorRoute | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        fps: float = 60.0,
    ) -> None:
        # A pad must work while no window has the keyboard, as under a bare X server; scenes pause on focus loss.
        os.environ.setdefault("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")
        self.settings: Any = settings  # the application's own: the engine reads what WindowSettings names
        self.clock, self._sleep = clock, sleep
        window = _window_size(self.settings)
        theme.use(self.settings.palette, scale=self.settings.ui_scale)
        theme.forget_fonts()  # of an engine before this one, whose fonts may be gone with it
        self.video = Display(size, title=title, window=window, fullscreen=self.settings.fullscreen)
        self._showing = Presenter(self.video, self._guard)
        self.sound = Sound(volume=self.settings.volume, mute=self.settings.mute)
        self.captions = Captions(self.sound)
        self.pads = Gamepads()
        changes, self.layouts_warning = load_changes()
        self._layout_writer = NewestWriter(save_changes, what=WHAT)
        self.layouts = KeyBindings(changes, identify=self.pads.identity_of, save=self._layout_writer.write)
        self.devices = DeviceHub(self.pads, self.layouts, clock=clock)
        self._input = InputTranslator(self.pads, self.layouts, to_canvas=self._showing.to_page)
        self._tune_input()
        self.clips = ClipRecorder()
        self._said: queue.SimpleQueue[str] = queue.SimpleQueue()  # by threads, for the next frame
        self.toasts = Toasts()
        self.each_frame: Callable[[float], None] = lambda now: None  # called before the scenes are updated
        self._pacer = FramePacer(fps)
        self.open_route: Callable[[Route], Scene] = _no_routes
        self._error_route = error_route
        self._stack: list[Scene] = []
        self._writer: NewestWriter[Any] = NewestWriter(save_settings, what="settings")
        self.running = True

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The stack

    @property
    def scene(self) -> Scene | None:
        """The scene on top."""
        return self._stack[-1] if self._stack else None

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """All of the stack, the top last."""
        return tuple(self._stack)

    def push(self, scene: Scene | Route) -> None:
        """Put `scene`, or the one that a route leads to, on top."""
        self._guard(lambda: self._enter(self._made(scene)))

    def return_to(self, route: Route) -> None:
        """Show the scene on top if such a route led to it, else push the one of `route`."""
        if self.scene is None or type(self.scene.route) is not type(route):
            self.push(route)

    def pop(self) -> None:
        """Take the top scene off; with none left the loop ends."""
        self._release_input()
        if self._stack:
            self._leave(self._stack.pop())
        if self._stack:
            self._guard(self._stack[-1].resume)
        else:
            self.running = False

    def replace(self, scene: Scene | Route) -> None:
        """Put `scene` in the place of the top one."""
        self._release_input()
        if self._stack:
            self._leave(self._stack.pop())
        self.push(scene)

    def reset_to(self, scene: Scene | Route) -> None:
        """Take every scene off and put `scene` there alone."""
        while self._stack:
            self._leave(self._stack.pop())
        self.push(scene)

    def _made(self, scene: Scene | Route) -> Scene:
        return scene if isinstance(scene, Scene) else self.open_route(scene)

    def _enter(self, scene: Scene) -> None:
        self._release_input()
        self._stack.append(scene)
        scene.enter(self)

    # The loop

    def run(self) -> None:
        """Turn until there is no scene left, the window is closed or `quit` is called."""
        while self.running and self._stack:
            self.rest()
            self.frame(self.clock())

    def rest(self) -> None:
        """Sleep until the next frame is due, and let the top scene look up now and then, once at least.

        A scene that is due before the frame gets the newest input then, and not what the last frame had.
        """
        self._rest_scene()
        while (wait := self._pacer.wait(self.clock())) > 0:
            scene = self.scene
            due = scene.due_in(self.clock()) if scene is not None else wait
            self._sleep(max(0.0, min(wait, scene.nap if scene is not None else wait, due)))
            self._rest_scene()
            due = scene.due_in(self.clock()) if scene is not None else float("inf")
            if scene is not None and due <= 0:
                self._serve(scene)
            elif due < float("inf"):  # noted as it comes: a seat's delay is told in milliseconds, not in frames
                self._take_input()

    def frame(self, now: float) -> None:
        """One turn at `now` (seconds of the clock): events, update, draw, flip."""
        self._pacer.started(now)
        self._take_input()
        for ours in self._input.repeat(now):
            self.feed(ours)
        while not self._said.empty():
            self.say(self._said.get())
        self.toasts.update(now)
        self._guard(lambda: self.each_frame(now))
        self._update(now)
        self._showing.draw(self._visible("transparent"), now, self.settings)
        if self.settings.captions:
            self.captions.update(now)
            self.captions.draw(self.canvas)
        if any(scene.plays for scene in self._stack):
            self.clips.take(self.canvas, now)
        self.video.present()
        self._pacer.shown(self.clock())
        self.sound.open()  # not before: numpy comes with it

    def _take_input(self) -> None:
        """All that the devices did until now."""
        if (moved := self._showing.take_pointer()) is not None:
            self.feed(moved)
        for event in pygame.event.get():
            self._window_event(event)
            for ours in self._input.translate(event):
                self.feed(ours)
        keyboards = self.devices.keyboards
        for device, key, pressed in keyboards.changes():
            for ours in self._input.own_key(device, key, pressed):
                self.feed(ours)
        for device, came in keyboards.news():
            self.feed(DeviceAdded(device) if came else DeviceRemoved(device))

    def _serve(self, scene: Scene) -> None:
        """Newest input, then an update, for a scene that is due between two frames."""
        self._take_input()
        if self.scene is scene:
            self._guard(lambda: scene.update(self.clock()))

    def feed(self, event: InputEvent) -> None:
        """Hand one event to the controllers and the top scene; tests may call it too."""
        if isinstance(event, KeyInput) and event.pressed and self._engine_key(event.name):
            return
        if self._showing.feed(event):
            return
        pressed = isinstance(event, SourceInput) and event.pressed
        if not pressed or any(scene.plays for scene in self._visible("updates_below")):
            self.devices.feed(event)
        if isinstance(event, FocusLost):
            self._input.clear()
        scene = self.scene
        keep = self._guard(lambda: scene.handle(event)) if scene is not None else None
        if isinstance(event, QuitAsked) and keep is not True:
            self.quit()

    def say(self, words: str, *, about: str = "") -> None:
        """Show a line for some seconds, in place of the last one `about` the same."""
        self.toasts.say(words, about=about)

    def quit(self) -> None:
        """End the loop after this turn."""
        self.running = False

    def close(self) -> None:
        """Leave every scene and close window, sound and pads; can be called twice."""
        self.running = False
        while self._stack:
            self._leave(self._stack.pop())
        self._writer.flush()
        self._layout_writer.flush()
        sources.forget_labels()
        self.clips.close()
        self.sound.close()
        self.devices.close()
        self.pads.close()
        self.video.close()

    # What scenes ask for

    @property
    def canvas(self) -> pygame.Surface:
        """What scenes draw on; the logical picture, 1280 x 720 by default."""
        return self.video.canvas

    def where_seen(self, rect: pygame.Rect) -> pygame.Rect:
        """Where on the canvas a part of the page that scenes draw is seen, perhaps beyond its edges."""
        return self._showing.lens.to_canvas(rect)

    @property
    def frame_intervals_ms(self) -> tuple[float, ...]:
        """Milliseconds between the frames shown, oldest first; the newest ten minutes."""
        return self._pacer.intervals_ms

    def forget_intervals(self) -> None:
        """Start the record of frame intervals anew."""
        self._pacer.forget()

    @property
    def text_entry(self) -> bool:
        """True while letters typed are text: W, A, S, D, I, J, K, L, P, Space and Backspace move no menu."""
        return self._input.text_entry

    @text_entry.setter
    def text_entry(self, on: bool) -> None:
        self._input.text_entry = on
        (pygame.key.start_text_input if on else pygame.key.stop_text_input)()

    def apply(self, settings: WindowSettings, *, save: bool = True) -> None:
        """Apply `settings` at once, and save them in the background."""
        size, before = _window_size(settings), _window_size(self.settings)
        self.settings = settings
        theme.use(settings.palette, scale=settings.ui_scale)
        self._tune_input()
        self.sound.set_volume(settings.volume, mute=settings.mute)
        if size != before:  # else the size that the user dragged the window to stays
            self.video.set_window_size(size)
        self.video.set_fullscreen(settings.fullscreen)
        if save:
            self._writer.write(settings)

    def toggle_fullscreen(self) -> None:
        """F11: fill the screen or go back to the window."""
        self.apply(self.settings.changed(fullscreen=not self.settings.fullscreen))

    def screenshot(self, path: Path | None = None) -> Path:
        """Save the canvas as a PNG, by default into ARCADE_HOME/screenshots; returns its path once it is there."""
        return save_picture(self.canvas, path or _new_path("screenshots", "png"))

    def save_clip(self) -> None:
        """F10: save what was seen in the last half minute as a video, in the background."""
        self.clips.save(_new_path("clips", "mp4"), self._said.put)
        self.say("Saving the last half minute …")

    # Inside

    def _engine_key(self, name: str) -> bool:
        if name == "f11":
            self.toggle_fullscreen()
        elif name == "f10":
            self.save_clip()
        elif name == "f12":
            copy, path = self.canvas.copy(), _new_path("screenshots", "png")
            threading.Thread(target=save_picture, args=(copy, path), name="screenshot").start()
            self.say(f"Picture saved: {path}")
        return name in ("f10", "f11", "f12")

    def _window_event(self, event: pygame.event.Event) -> None:
        if event.type in (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED):
            self.video.resized()

    def _tune_input(self) -> None:
        self._input.dead_zone, self._input.curve = self.settings.stick_dead_zone, self.settings.stick_curve
        self.devices.opposites = self.settings.opposites

    def _release_input(self) -> None:
        self.devices.clear()
        self._input.clear()

    def _rest_scene(self) -> None:
        scene = self.scene
        if scene is not None:
            self._guard(lambda: scene.rest(self.clock()))

    def _update(self, now: float) -> None:
        for scene in self._visible("updates_below"):
            self._guard(lambda scene=scene: scene.update(now))  # type: ignore[misc]

    def _visible(self, passes: str) -> list[Scene]:
        """The top scene and those below it that it lets through, lowest first."""
        found: list[Scene] = []
        for scene in reversed(self._stack):
            found.append(scene)
            if not getattr(scene, passes):
                break
        return found[::-1]

    def _leave(self, scene: Scene) -> None:
        try:
            scene.leave()
        except Exception:  # noqa: BLE001  (whatever it is, the next scene must come)
            _log.exception("a scene failed to leave: %s", type(scene).__name__)

    def _guard(self, call: Callable[[], object]) -> object:
        """Run a scene's code; what it raises puts the error scene in the place of the whole stack."""
        try:
            return call()
        except Exception as error:
            words = "".join(traceback.format_exception(error))
            _log.error("a scene failed: %s", words)
            if self._error_route is None or getattr(self.scene, "shows_error", False):
                raise
            scene = self._made(self._error_route(error, words))
            scene.shows_error = True
            self.reset_to(scene)
            return None


def _no_routes(route: Route) -> Scene:
    raise LookupError(f"expected an engine with routes, got: {route}")


def _window_size(settings: WindowSettings) -> tuple[int, int]:
    return settings.window_width, settings.window_height


def _new_path(kind: str, suffix: str) -> Path:
    return folder(kind) / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.{suffix}"
