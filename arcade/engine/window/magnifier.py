"""Magnifier: zooms in on a page, around the focus or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import pygame

from arcade.engine.input.events import AxisInput, InputEvent, KeyInput, MenuInput, Point, PointerInput
from arcade.engine.window.fixed_page import FixedPage
from arcade.engine.window.scene import Scene

EASE = 0.08  # seconds of most of the view's way to its goal
SPEED = 1.6  # views a second at a full push of the stick
AROUND = 0.1  # margin around the followed part, of the view
FOOT = 44  # pixels of the page at the view's foot that may be covered


class Magnifier:
    """Follows the focus, the mouse or the right stick, whichever moved last; inactive at scale 1::

        page = magnifier.look_at(scene, scale)  # to draw on
        magnifier.show(scene, now)              # moves the view, and draws the visible part

    The mouse moves the view in proportion, so that it reaches every corner.
    """

    def __init__(self, video: FixedPage) -> None:
        self._video, self.size = video, video.size
        self._scene: Scene | None = None
        self.scale = 1.0
        self._left = self._top = 0.0  # of the view, in pixels of the page
        self._mouse: Point | None = None  # its last place on the canvas
        self._pointer: Point | None = None  # the same, while the mouse leads
        self._free: tuple[float, float] | None = None  # the view's goal while the user looks around
        self._push = {"rx": 0.0, "ry": 0.0}  # of the stick, -1 … 1
        self._page: pygame.Surface | None = None
        self._then: float | None = None  # time of the last move; None: jump
        self._under_mouse: Point | None = None  # the place that the moving view brought there

    @property
    def active(self) -> bool:
        return self.scale > 1

    @property
    def view(self) -> pygame.Rect:
        """The visible part of the page."""
        size = round(self.size[0] / self.scale), round(self.size[1] / self.scale)
        return pygame.Rect((round(self._left), round(self._top)), size).clamp(pygame.Rect((0, 0), self.size))

    def look_at(self, scene: Scene, scale: float) -> pygame.Surface:
        """Return the surface to draw on: the canvas, or a separate page for a scene to be enlarged."""
        if scene is not self._scene:
            self._scene, self._then = scene, None
            self._pointer, self._free = None, (0.0, 0.0) if scene.read_first else None
            self._left = self._top = 0.0
        scale = scale if scene.magnified else 1.0
        if scale != self.scale:
            self.scale, self._then = scale, None
        if self._page is None and self.active:
            self._page = pygame.Surface(self.size)
        return self._page if self._page is not None and self.active else self._video.canvas

    def point(self, pos: Point) -> Point:
        """Return the place of the page at a place of the window, and follow the mouse there once it has moved."""
        on_canvas = self._video.point(pos)
        if self._mouse is not None and on_canvas != self._mouse:
            self._pointer, self._free = on_canvas, None
        self._mouse = on_canvas
        return self.to_page(on_canvas)

    def take_pointer(self) -> PointerInput | None:
        """Return the move of the mouse over a page that moved under it, once."""
        place, self._under_mouse = self._under_mouse, None
        return PointerInput("move", place) if place is not None else None

    def feed(self, event: InputEvent) -> bool:
        """Note what the view follows; return whether the event only moved the view."""
        if isinstance(event, MenuInput):
            self._pointer = self._free = None
        elif isinstance(event, AxisInput) and event.axis in ("rx", "ry"):
            self._push[event.axis] = event.value
            if event.value:
                self._free = self._left, self._top
        elif isinstance(event, KeyInput) and event.name == "f3" and self.active:
            if event.pressed:
                self._turn()
            return True
        return False

    def to_page(self, pos: Point) -> Point:
        """Return the place of the page at a place of the canvas."""
        view = self.view
        return view.left + int(pos[0] / self.scale), view.top + int(pos[1] / self.scale)

    def to_canvas(self, rect: pygame.Rect) -> pygame.Rect:
        """Return the place on the canvas of a part of the page, perhaps beyond the edges."""
        view, scale = self.view, self.scale
        left, top = (rect.left - view.left) * scale, (rect.top - view.top) * scale
        return pygame.Rect(round(left), round(top), round(rect.w * scale), round(rect.h * scale))

    def _turn(self) -> None:
        """Move to the next part of the page in reading order, from the last one to the first."""
        view = self.view
        left, top = view.left + view.w, view.top
        if view.right >= self.size[0]:
            left, top = 0, view.top + view.h - FOOT
            if view.bottom >= self.size[1]:
                top = 0
        self._free = self._clamped(left, top)

    def _follow(self, now: float, attention: Sequence[pygame.Rect]) -> None:
        """Move the view until `now`, towards the pointer or the first of `attention` that fits."""
        before = self.view.topleft
        if self._free is not None and self._then is not None:
            step = SPEED * max(0.0, now - self._then)
            across, down = self._push["rx"] * step * self.view.w, self._push["ry"] * step * self.view.h
            self._free = self._clamped(self._free[0] + across, self._free[1] + down)
        left, top = self._goal(attention)
        share = 1.0 if self._then is None else 1 - exp(-max(0.0, now - self._then) / EASE)
        self._then = now
        self._left = _towards(self._left, left, share)
        self._top = _towards(self._top, top, share)
        led = self._pointer is not None and self._free is None and self.view.topleft != before
        self._under_mouse = self.to_page(self._pointer) if led and self._pointer is not None else None

    def show(self, scene: Scene, now: float) -> None:
        """Draw the visible part of the page on the canvas, and the fixed parts of the scene over it."""
        canvas = self._video.canvas
        self._follow(now, scene.attention)
        if self.active and self._page is not None:
            pygame.transform.smoothscale(self._page.subsurface(self.view), canvas.get_size(), canvas)
        scene.draw_over(canvas)

    def _goal(self, attention: Sequence[pygame.Rect]) -> tuple[float, float]:
        view = self.view
        if self._free is not None:
            return self._clamped(*self._free)
        if self._pointer is not None:
            share = self._pointer[0] / self.size[0], self._pointer[1] / self.size[1]
            return (self.size[0] - view.w) * share[0], (self.size[1] - view.h) * share[1]
        if not attention:
            return self._left, self._top
        fitting = (rect for rect in attention if rect.w <= view.w and rect.h <= view.h - FOOT)
        wanted = next(fitting, attention[-1])
        left = _bring(self._left, view.w, wanted.left, wanted.right)
        top = _bring(self._top, view.h - FOOT, wanted.top, wanted.bottom)
        return self._clamped(left, top)

    def _clamped(self, left: float, top: float) -> tuple[float, float]:
        """Return the nearest position of the view on the page."""
        view = self.view
        return min(max(left, 0.0), float(self.size[0] - view.w)), min(max(top, 0.0), float(self.size[1] - view.h))


def _bring(at: float, length: int, low: int, high: int) -> float:
    """Return the nearest start of a view of that length that shows `low` to `high`."""
    around = min(length * AROUND, (length - (high - low)) / 2)  # below 0 without room: shows the middle
    return min(max(at, high + around - length), low - around)


def _towards(at: float, goal: float, share: float) -> float:
    at += (goal - at) * share
    return goal if abs(goal - at) < 0.5 else at
