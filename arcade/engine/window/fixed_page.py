"""FixedPage: the surface of 1280 x 720 for scenes that are drawn at coordinates, scaled into the window."""

from __future__ import annotations

import pygame

from arcade.engine.input.events import Point
from arcade.engine.window.video import Display, Size, fit_rect


class FixedPage:
    """In a window of its size it is the window, without a copy."""

    size: Size = (1280, 720)

    def __init__(self, video: Display) -> None:
        self._video = video
        self._own = pygame.Surface(self.size)

    @property
    def canvas(self) -> pygame.Surface:
        """What the scene draws on."""
        return self._video.canvas if self._video.size == self.size else self._own

    @property
    def area(self) -> pygame.Rect:
        """Its place in the window."""
        return fit_rect(self.size, self._video.canvas.get_rect())

    def show(self) -> None:
        """Scale it into the window."""
        if self.canvas is self._own:
            self._video.canvas.fill((0, 0, 0))
            target = self._video.canvas.subsurface(self.area)
            pygame.transform.smoothscale(self._own, target.get_size(), target)

    def take(self) -> None:
        """Copy the window, to draw over it."""
        if self.canvas is self._own:
            pygame.transform.smoothscale(self._video.canvas.subsurface(self.area), self.size, self._own)

    def point(self, pos: Point) -> Point:
        """Return the place on the page of a place in the window; the nearest edge for the border."""
        area = self.area
        x, y = (pos[0] - area.x) * self.size[0] // max(1, area.w), (pos[1] - area.y) * self.size[1] // max(1, area.h)
        return min(max(x, 0), self.size[0] - 1), min(max(y, 0), self.size[1] - 1)

    def to_window(self, rect: pygame.Rect) -> pygame.Rect:
        """Return the place in the window of a part of the page."""
        area = self.area
        scale = area.w / self.size[0]
        left, top = area.x + rect.x * scale, area.y + rect.y * scale
        return pygame.Rect(round(left), round(top), round(rect.w * scale), round(rect.h * scale))
