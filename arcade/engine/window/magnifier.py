"""Magnifier: shows a part of an enlarged page, around the focus or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import pygame

from arcade.engine.input.events import Point
from arcade.engine.window.video import Size

EASE = 0.08  # seconds of most of the view's way to its goal
SPEED = 1.6  # views a second at a full push of the stick
AROUND = 0.1  # margin around the followed part, of the view
FOOT = 44  # pixels of the page at the view's foot that may be covered


class Magnifier:
    """Follows the focus, the mouse or the right stick, whichever moved last; inactive at scale 1::

        page = magnifier.page(canvas)         # to draw on
        magnifier.follow(now, attention)      # once a frame
        magnifier.show(canvas)                # draws the visible part

    The mouse moves the view in proportion, so that it reaches every corner.
    """

    def __init__(self, size: Size) -> None:
        self.size = size
        self.scale = 1.0
        self._left = self._top = 0.0  # of the view, in pixels of the page
        self._mouse: Point | None = None  # its last place on the canvas
        self._pointer: Point | None = None  # the same, while the mouse leads
        self._free: tuple[float, float] | None = None  # the view's goal while the user looks around
        self._push = {"rx": 0.0, "ry": 0.0}  # of the stick, -1 … 1
        self._page: pygame.Surface | None = None
        self._then: float | None = None  # time of the last move; None: jump

    @property
    def active(self) -> bool:
        return self.scale > 1

    @property
    def view(self) -> pygame.Rect:
        """The visible part of the page."""
        size = round(self.size[0] / self.scale), round(self.size[1] / self.scale)
        return pygame.Rect((round(self._left), round(self._top)), size).clamp(pygame.Rect((0, 0), self.size))

    def set_scale(self, scale: float) -> None:
        """Set the scale; a new one jumps to the attention."""
        if scale != self.scale:
            self.scale, self._then = scale, None

    def page(self, canvas: pygame.Surface) -> pygame.Surface:
        """Return the surface to draw on: the canvas, or a separate page."""
        if not self.active:
            return canvas
        if self._page is None:
            self._page = pygame.Surface(self.size)
        return self._page

    def to_page(self, pos: Point) -> Point:
        """Return the place of the page at a place of the canvas."""
        view = self.view
        return view.left + int(pos[0] / self.scale), view.top + int(pos[1] / self.scale)

    def to_canvas(self, rect: pygame.Rect) -> pygame.Rect:
        """Return the place on the canvas of a part of the page, perhaps beyond the edges."""
        view, scale = self.view, self.scale
        left, top = (rect.left - view.left) * scale, (rect.top - view.top) * scale
        return pygame.Rect(round(left), round(top), round(rect.w * scale), round(rect.h * scale))

    def lead_by_pointer(self, pos: Point) -> None:
        """Follow the mouse at that place of the canvas, once it has moved."""
        if self._mouse is not None and pos != self._mouse:
            self._pointer, self._free = pos, None
        self._mouse = pos

    def lead_by_focus(self) -> None:
        """Follow the focus, which keys or a pad moved."""
        self._pointer = self._free = None

    def begin(self, *, at_top: bool) -> None:
        """Start another page, `at_top` or at its focus."""
        self._pointer, self._free = None, (0.0, 0.0) if at_top else None
        self._left = self._top = 0.0
        self._then = None

    def push(self, axis: str, value: float) -> None:
        """Look around with a stick."""
        self._push[axis] = value
        if value:
            self._free = self._left, self._top

    def turn(self) -> None:
        """Move to the next part of the page in reading order, from the last one to the first."""
        view = self.view
        left, top = view.left + view.w, view.top
        if view.right >= self.size[0]:
            left, top = 0, view.top + view.h - FOOT
            if view.bottom >= self.size[1]:
                top = 0
        self._free = self._clamped(left, top)

    def follow(self, now: float, attention: Sequence[pygame.Rect]) -> Point | None:
        """Move the view until `now`, towards the pointer or the first of `attention` that fits.

        Returns the new place of the page under a leading mouse; None without a change.
        """
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
        return self.to_page(self._pointer) if led and self._pointer is not None else None

    def show(self, canvas: pygame.Surface) -> None:
        """Draw the visible part of the page on the canvas."""
        if self.active and self._page is not None:
            pygame.transform.smoothscale(self._page.subsurface(self.view), canvas.get_size(), canvas)

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
