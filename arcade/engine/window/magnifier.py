"""Magnifier: shows part of an enlarged page, around the focus or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import pygame

from arcade.engine.input.events import Point
from arcade.engine.window.video import Size

EASE = 0.08  # seconds in which the view goes most of the way to where it should be
SPEED = 1.6  # views a second that a stick pushed all the way moves it
AROUND = 0.1  # of the view, what should be seen around the thing that it follows
FOOT = 44  # pixels of the page at the view's foot that may be covered


class Magnifier:
    """Follows the focus, the mouse or the stick that looks around, whichever moved last; nothing at scale 1::

        page = magnifier.page(canvas)         # to draw on
        magnifier.follow(now, attention)      # once a frame
        magnifier.show(canvas)                # the part that is seen, as large as the canvas

    With the mouse, the pointer at a place of the window is at that place of the page once the view has settled:
    every corner can be reached.
    """

    def __init__(self, size: Size) -> None:
        self.size = size
        self.scale = 1.0
        self._left = self._top = 0.0  # of the view, in pixels of the page
        self._mouse: Point | None = None  # where it was last, on the canvas
        self._pointer: Point | None = None  # the same, where the mouse leads
        self._free: tuple[float, float] | None = None  # where the view goes, while the user looks around
        self._push = {"rx": 0.0, "ry": 0.0}  # of the stick that looks around, -1 … 1
        self._page: pygame.Surface | None = None
        self._then: float | None = None  # when the view was last moved; None: it is to jump

    @property
    def active(self) -> bool:
        """Whether it enlarges at all."""
        return self.scale > 1

    @property
    def view(self) -> pygame.Rect:
        """The part of the page that is seen."""
        size = round(self.size[0] / self.scale), round(self.size[1] / self.scale)
        return pygame.Rect((round(self._left), round(self._top)), size).clamp(pygame.Rect((0, 0), self.size))

    def set_scale(self, scale: float) -> None:
        """Everything so many times as large; another one than before jumps to what has the attention."""
        if scale != self.scale:
            self.scale, self._then = scale, None

    def page(self, canvas: pygame.Surface) -> pygame.Surface:
        """Where scenes draw: the canvas itself, or a page of its own."""
        if not self.active:
            return canvas
        if self._page is None:
            self._page = pygame.Surface(self.size)
        return self._page

    def to_page(self, pos: Point) -> Point:
        """The place of the page that is seen at a place of the canvas."""
        view = self.view
        return view.left + int(pos[0] / self.scale), view.top + int(pos[1] / self.scale)

    def to_canvas(self, rect: pygame.Rect) -> pygame.Rect:
        """Where on the canvas a part of the page is seen, perhaps beyond its edges."""
        view, scale = self.view, self.scale
        left, top = (rect.left - view.left) * scale, (rect.top - view.top) * scale
        return pygame.Rect(round(left), round(top), round(rect.w * scale), round(rect.h * scale))

    def lead_by_pointer(self, pos: Point) -> None:
        """The mouse is at that place of the canvas; where it lay all the time, or is seen first, is no lead."""
        if self._mouse is not None and pos != self._mouse:
            self._pointer, self._free = pos, None
        self._mouse = pos

    def lead_by_focus(self) -> None:
        """Keys or a pad moved the focus."""
        self._pointer = self._free = None

    def begin(self, *, at_top: bool) -> None:
        """Another page is shown: `at_top` where it is read first and pressed later."""
        self._pointer, self._free = None, (0.0, 0.0) if at_top else None
        self._left = self._top = 0.0
        self._then = None

    def push(self, axis: str, value: float) -> None:
        """A stick that looks around was moved."""
        self._push[axis] = value
        if value:
            self._free = self._left, self._top

    def turn(self) -> None:
        """On to the next part of the page, in the order of reading, and from the last one to the first."""
        view = self.view
        left, top = view.left + view.w, view.top
        if view.right >= self.size[0]:
            left, top = 0, view.top + view.h - FOOT
            if view.bottom >= self.size[1]:
                top = 0
        self._free = self._clamped(left, top)

    def follow(self, now: float, attention: Sequence[pygame.Rect]) -> Point | None:
        """Move on to `now` towards the pointer, or to where the first of `attention` that fits is seen.

        Returns the place of the page that has come under a mouse that leads; None where it stays as it is.
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
        """Put what is seen of the page on the canvas."""
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
        """The nearest place at which the view lies on the page."""
        view = self.view
        return min(max(left, 0.0), float(self.size[0] - view.w)), min(max(top, 0.0), float(self.size[1] - view.h))


def _bring(at: float, length: int, low: int, high: int) -> float:
    """Where a view of that length must begin for `low` to `high` to be in it, moved as little as can be."""
    around = min(length * AROUND, (length - (high - low)) / 2)  # below 0 where it does not fit: its middle then
    return min(max(at, high + around - length), low - around)


def _towards(at: float, goal: float, share: float) -> float:
    at += (goal - at) * share
    return goal if abs(goal - at) < 0.5 else at
