"""Engine: the window's loop over a stack of scenes."""

from __future__ import annotations

import _thread
import gc
import os
import queue
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pygame

from agents.files import NewestWriter
from agents.platform import system
from arcade import language
from arcade.engine.audio.narrator import Narrator
from arcade.engine.audio.sound import Captions, Sound
from arcade.engine.capture import new_capture_path, save_screenshot
from arcade.engine.clips import ClipRecorder
from arcade.engine.input.events import (
    MOUSE,
    ControlInput,
    DeviceAdded,
    DeviceRemoved,
    FocusLost,
    InputEvent,
    KeyInput,
    MenuInput,
    PointerInput,
    QuitAsked,
    SourceInput,
)
from arcade.engine.input.pad_families import family_of
from arcade.engine.input.window_input import WindowInput
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.toasts import Toasts
from arcade.engine.window.fade import Fade
from arcade.engine.window.pacer import FramePacer
from arcade.engine.window.scene import ErrorRoute, Host, Scene, WindowSettings
from arcade.engine.window.video import Display
from arcade.language import _

if TYPE_CHECKING:
    from arcade.engine.window.flash_limiter import FlashLimiter


TURN = 0.0005
"""Seconds that another thread may compute before the window's gets its turn: Python's own 5 ms, several times a frame,
make half a frame of it."""

SELDOM = 1_000_000
"""Collections of younger objects between two of all objects while loading: those last for two frames."""

HIDDEN_FPS = 10
"""Frames a second of a minimised window in which no match is played."""


class Engine(Host):
    """Window, devices, sound and a stack of scenes; a context manager::

    with Engine(title="PettingZoo Arcade", settings=settings, error_route=routes.Failed) as engine:
        engine.open_route = lambda route: make_scene(services, route)
        engine.push(routes.Title())
        engine.run()                      # until the stack is empty or the window is closed
    """

    def __init__(
        self, *, title: str = "PettingZoo Arcade", settings: WindowSettings,
        save_settings: Callable[[Any], None] = lambda settings: None, error_route: ErrorRoute | None = None,
        clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep,
    ) -> None:  # fmt: skip
        super().__init__(error_route)
        # Pads work without the window's focus, as under a bare X server; scenes pause on focus loss.
        os.environ.setdefault("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")
        _choose_framebuffer(vsync=settings.vsync)
        self.settings: Any = settings  # the application's own
        self.clock, self._sleep = clock, sleep
        self.video = Display(_window_size(settings), title=title, fullscreen=settings.fullscreen)
        self.theme = Theme(settings.palette, window=self.video.size, scale=settings.ui_scale)
        language.use(settings.language)
        self._flash_limiter: FlashLimiter | None = None
        self._messages: queue.SimpleQueue[str] = queue.SimpleQueue()  # from threads, for the next frame
        self.sound = Sound(clock=clock)
        self.narrator = Narrator(failed=self._messages.put)
        self.captions = Captions(self.sound)
        self.input = WindowInput(clock=clock)
        self.pads, self.devices, self.bindings = self.input.pads, self.input.devices, self.input.bindings
        self.pacer = FramePacer(settings.frame_limit)
        self._tune_devices()
        self._choose_hints()
        self.clips = ClipRecorder()
        self.toasts = Toasts()
        self._fade = Fade()
        self._drawn: Scene | None = None  # on top in the last frame
        self._is_loaded = False  # until the next frame without a large scene
        self.each_frame: Callable[[float], None] = lambda now: None  # called before the scenes are updated
        self._writer: NewestWriter[Any] = NewestWriter(save_settings, what="settings")
        self._turn_before = sys.getswitchinterval()
        sys.setswitchinterval(TURN)
        self._collected = gc.get_threshold()
        gc.set_threshold(*self._collected[:2], SELDOM)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self) -> None:
        """Run until the stack is empty, the window is closed or `quit` is called."""
        while self.running and self._stack:
            self.turn()

    def turn(self) -> None:
        """Rest until a frame is due, draw it, and show it at the same distance as the others."""
        self.rest()
        now = self.clock()
        if self._prepare(now):
            self._hold()
            self._present(now)
        self._finish()

    def rest(self) -> None:
        """Sleep until the next frame, with the top scene's `rest` at least once; update a scene that is due earlier."""
        self._rest_scene()
        while (wait := self.pacer.wait(self.clock())) > 0:
            scene = self.scene
            due = scene.due_in(self.clock()) if scene is not None else wait
            self._sleep(max(0.0, min(wait, scene.nap if scene is not None else wait, due)))
            self._rest_scene()
            due = scene.due_in(self.clock()) if scene is not None else float("inf")
            if scene is not None and due <= 0:
                self._update_early(scene)
            elif due < float("inf"):  # at once: a seat's input delay is measured in milliseconds, not in frames
                self._take_input()

    def _hold(self) -> None:
        """Sleep until the frame that is drawn is to be shown, or the scene is due."""
        while (wait := self.pacer.wait_to_show(self.clock())) > 0:
            scene = self.scene
            if scene is not None:
                wait = min(wait, scene.nap, scene.due_in(self.clock()))
            if wait <= 0:
                return
            self._sleep(wait)
            self._rest_scene()

    def frame(self, now: float) -> None:
        """Run one frame at `now` (seconds of the clock) and show it at once: events, update, draw, flip."""
        if self._prepare(now):
            self._present(now)
        self._finish()

    def _prepare(self, now: float) -> bool:
        """Take events, update and draw; return whether there is a picture to show.

        A minimised window in which no match is played is not drawn, and is updated `HIDDEN_FPS` times a second, which
        leaves the processor to a training.
        """
        hidden = self.video.is_minimised and not any(scene.plays for scene in self.visible("updates_below"))
        self.pacer.limit(HIDDEN_FPS if hidden else self.settings.frame_limit)
        self.pacer.started(now)
        self._take_input()
        for event in self.input.repeat(now):
            self.feed(event)
        while not self._messages.empty():
            self.say(self._messages.get())
        self.toasts.update(now)
        self.guard(lambda: self.each_frame(now))
        for scene in self.visible("updates_below"):
            self.guard(lambda scene=scene: scene.update(now))  # type: ignore[misc]
        if not hidden:
            self._draw_all(now)
        self.pacer.ready(self.clock())
        return not hidden

    def _present(self, now: float) -> None:
        """Show the picture that was drawn at `now`, and take it into the clip."""
        self.video.present()
        if any(scene.plays for scene in self._stack):
            self.clips.take(self.canvas, now)

    def _finish(self) -> None:
        """Do what can wait until the frame has been shown."""
        self.sound.open()  # not before: it imports numpy
        self.sound.follow(in_match=any(scene.plays or scene.is_large for scene in self._stack))
        self._free_left()

    def feed(self, event: InputEvent) -> None:
        """Pass an event to the controllers and the top scene."""
        if isinstance(event, KeyInput) and event.pressed and self._engine_key(event.name):
            return
        pressed = isinstance(event, SourceInput) and event.pressed
        if not pressed or any(scene.plays for scene in self.visible("passes_presses")):
            self.devices.feed(event)
        if isinstance(event, FocusLost):
            self.input.clear()
        elif isinstance(event, MenuInput | ControlInput):
            self.last_device = event.device
        elif isinstance(event, PointerInput) and event.kind == "press":
            self.last_device = MOUSE
        if isinstance(event, MenuInput | ControlInput | DeviceAdded | DeviceRemoved):
            self._choose_hints()
        scene = self.scene
        keep = self.guard(lambda: scene.handle(event)) if scene is not None else None
        if isinstance(event, QuitAsked) and keep is not True:
            self.quit()

    def close(self) -> None:
        """Leave every scene, and close window, sound and pads; can be called twice."""
        self.running = False
        self._leave_all()
        gc.unfreeze()
        gc.set_threshold(*self._collected)
        sys.setswitchinterval(self._turn_before)
        self._writer.flush()
        self.clips.close()
        self.sound.close()
        self.narrator.close()
        self.input.close()
        self.video.close()

    @property
    def canvas(self) -> pygame.Surface:
        return self.video.canvas

    @property
    def text_entry(self) -> bool:
        """Whether printing keys are text and move no menu."""
        return self.input.text_entry

    @text_entry.setter
    def text_entry(self, on: bool) -> None:
        self.input.text_entry = on
        (pygame.key.start_text_input if on else pygame.key.stop_text_input)()

    def apply(self, settings: WindowSettings, *, save: bool = True) -> None:
        size, before = _window_size(settings), _window_size(self.settings)
        self.settings = settings
        self._tune_devices()
        self._choose_hints()
        if size != before:  # else the window keeps the size that the user dragged it to
            self.video.set_window_size(size)
        self.video.set_fullscreen(settings.fullscreen)
        self._fit_theme()
        if save:
            self._writer.write(settings)

    def save_clip(self) -> None:
        self.clips.save(new_capture_path("clips", "mp4"), self._messages.put, heard=self.sound.heard)
        self.say(_("Saving the last half minute …"))

    def _draw_all(self, now: float) -> None:
        """Draw the window: scenes and captions."""
        self._draw(self.visible("transparent"), now)
        if self.settings.captions:
            self.captions.update(now)
            self.captions.draw(self.canvas, self.theme)

    def _draw(self, scenes: Sequence[Scene], now: float) -> None:
        """Draw the scenes, the lowest first, with less flashing if set."""
        if not scenes:
            return
        self._fit_theme()
        self._begin_fade(scenes[-1], now)
        for scene in scenes:
            if not self.guard(lambda scene=scene: scene.draw(self.canvas) or True):  # type: ignore[misc]
                return
        self.guard(lambda: scenes[-1].draw_over(self.canvas))
        self._fade.draw(self.canvas, now)
        if not self.settings.reduce_flashing:
            self._flash_limiter = None
            return
        if self._flash_limiter is None:
            from arcade.engine.window.flash_limiter import FlashLimiter  # it imports numpy

            self._flash_limiter = FlashLimiter()
        self._flash_limiter.soften(self.canvas, now)

    def _begin_fade(self, scene: Scene, now: float) -> None:
        """Let the screen before fade away, except in a match, whose first pictures count."""
        before, self._drawn = self._drawn, scene
        if before not in (None, scene) and not scene.plays and not self.settings.reduce_motion:
            self._fade.begin(self.canvas, now)

    def _fit_theme(self) -> None:
        """Adopt the window's size, and the user's palette, scale and language."""
        language.use(self.settings.language)
        before = self.theme
        self.theme = before.like(self.settings.palette, self.video.size, self.settings.ui_scale)
        if self.theme is not before:
            before.forget()

    def _engine_key(self, name: str) -> bool:
        if name == "f11":
            self.apply(self.settings.changed(fullscreen=not self.settings.fullscreen))
        elif name == "f10":
            self.save_clip()
        elif name == "f12":
            save_screenshot(self.canvas, self._messages.put)
        return name in ("f10", "f11", "f12")

    def _choose_hints(self) -> None:
        """Choose the buttons that hints show: those of the device used last, unless the user wants others."""
        wanted = self.settings.button_glyphs
        if self.last_device.kind == "gamepad":
            self.bindings.pad = self.last_device
        elif self.bindings.pad not in self.pads.present:
            self.bindings.pad = next(iter(self.pads.present), None)
        own = family_of(self.bindings.pad) if self.bindings.pad is not None else "xbox"
        self.bindings.family = own if wanted in ("auto", "keyboard") else wanted
        self.hint_family = family_of(self.last_device) if wanted == "auto" else wanted

    def finish_loading(self) -> None:
        """Let no later collection look at what is loaded by now, which lasts as long as the window.

        A collection of everything takes several frames, be it in a match or as a screen is left.
        """
        self._is_loaded = True
        if any(scene.is_large for scene in self._stack):  # it may last for hours
            gc.set_threshold(*self._collected)

    def _free_left(self) -> None:
        """Free the large scenes that were left, but not while a match is drawn.

        A scene and its widgets refer to each other: by itself the collector may find them after minutes.
        """
        if self._left_large and not any(scene.plays for scene in self._stack):
            self._left_large = False
            gc.collect()
            self.theme.forget_unused()
            # it takes up to a frame; Thread.start would wait for the thread to run
            _thread.start_new_thread(system.trim_memory, ())
        if self._is_loaded and not self._left_large and not any(scene.is_large for scene in self._stack):
            self._is_loaded = False
            gc.freeze()
            gc.set_threshold(*self._collected)

    def _take_input(self) -> None:
        """Feed all new input."""
        self.input.finger_scrolls = self.scene is None or not self.scene.plays
        for event in pygame.event.get():
            if event.type in (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED):
                self.video.resized()
            for translated in self.input.translate(event):
                self.feed(translated)
        for own in self.input.keyboard_events():
            self.feed(own)

    def _update_early(self, scene: Scene) -> None:
        """Update a scene that is due between two frames, with the newest input."""
        self.pacer.keep_clear(self.clock())
        self._take_input()
        if self.scene is scene:
            self.guard(lambda: scene.update(self.clock()))

    def _rest_scene(self) -> None:
        scene = self.scene
        if scene is not None:
            self.guard(lambda: scene.rest(self.clock()))

    def _tune_devices(self) -> None:
        """Apply the settings of input, sound and narrator."""
        settings = self.settings
        self.input.tune(dead_zone=settings.stick_dead_zone, curve=settings.stick_curve, opposites=settings.opposites)
        self.pads.vibration = settings.vibration
        self.sound.set_volume(
            settings.volume, game=settings.game_volume, menu=settings.menu_volume, music=settings.music_volume,
            mute=settings.mute,
        )  # fmt: skip
        self.narrator.turn_on(settings.narrator)

    def _release_input(self) -> None:
        self.input.clear()


def _window_size(settings: WindowSettings) -> tuple[int, int]:
    return settings.window_width, settings.window_height


def _choose_framebuffer(*, vsync: bool) -> None:
    """Choose how SDL shows the window's surface: through a renderer where one shall wait for the screen's refresh.

    Without a graphics card the processor would do a renderer's work, and take twenty times as long as without one.
    """
    if not system.has_graphics_card:
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
    elif vsync:
        for name in ("SDL_RENDER_VSYNC", "SDL_FRAMEBUFFER_ACCELERATION"):
            os.environ.setdefault(name, "1")
