"""Presenter: draws scenes, enlarged and with less flashing by the user's settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arcade.engine.input.events import AxisInput, InputEvent, KeyInput, MenuInput, Point, PointerInput
from arcade.engine.window.magnifier import Magnifier
from arcade.engine.window.scene import Scene
from arcade.engine.window.settings import WindowSettings
from arcade.engine.window.video import Display

if TYPE_CHECKING:
    from arcade.engine.window.flash_limiter import FlashLimiter

Guard = Callable[[Callable[[], object]], object]  # runs a scene's code; returns None after an error


class Presenter:
    """Gets every event, and draws once a frame; `to_page` translates places of the mouse."""

    def __init__(self, video: Display, guard: Guard) -> None:
        self.magnifier = Magnifier(video.size)
        self._video, self._guard = video, guard
        self._looked_at: Scene | None = None
        self._under_mouse: Point | None = None  # the place that the moving view brought there
        self._limiter: FlashLimiter | None = None

    def to_page(self, pos: Point) -> Point:
        """Return the place of the page at a place of the window, and follow it."""
        on_canvas = self._video.to_canvas(pos)
        self.magnifier.lead_by_pointer(on_canvas)
        return self.magnifier.to_page(on_canvas)

    def take_pointer(self) -> PointerInput | None:
        """Return the move of the mouse over a page that moved under it, once."""
        place, self._under_mouse = self._under_mouse, None
        return PointerInput("move", place) if place is not None else None

    def feed(self, event: InputEvent) -> bool:
        """Note what the view follows; return whether the event only moved the view."""
        if isinstance(event, MenuInput):
            self.magnifier.lead_by_focus()
        elif isinstance(event, AxisInput) and event.axis in ("rx", "ry"):
            self.magnifier.push(event.axis, event.value)
        elif isinstance(event, KeyInput) and event.name == "f3" and self.magnifier.active:
            if event.pressed:
                self.magnifier.turn()
            return True
        return False

    def draw(self, scenes: Sequence[Scene], now: float, settings: WindowSettings) -> None:
        """Draw the scenes, the lowest first, magnified as the top one wants."""
        if not scenes:
            return
        top = scenes[-1]
        if top is not self._looked_at:
            self._looked_at = top
            self.magnifier.begin(at_top=top.read_first)
        self.magnifier.set_scale(settings.ui_scale if top.magnified else 1.0)
        page = self.magnifier.page(self._video.canvas)
        for scene in scenes:
            if not self._guard(lambda scene=scene: scene.draw(page) or True):  # type: ignore[misc]
                return
        self._guard(lambda: self._enlarge(top, now))
        self._soften(now, settings)

    def _enlarge(self, top: Scene, now: float) -> None:
        canvas = self._video.canvas
        self._under_mouse = self.magnifier.follow(now, top.attention)
        self.magnifier.show(canvas)
        top.draw_over(canvas)

    def _soften(self, now: float, settings: WindowSettings) -> None:
        """Reduce flashing, if set."""
        if not settings.reduce_flashing:
            self._limiter = None
            return
        if self._limiter is None:
            from arcade.engine.window.flash_limiter import FlashLimiter  # it imports numpy

            self._limiter = FlashLimiter()
        self._limiter.soften(self._video.canvas, now)
