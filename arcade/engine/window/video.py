"""Display: window size, full screen and the scaled canvas."""

from __future__ import annotations

import os

import pygame

from agents.errors import UserError
from arcade.engine.input.events import Point

Size = tuple[int, int]

WHOLE = 0.75  # least share of the largest scale at which a whole one is preferred


class DisplayError(UserError):
    """No display is available."""


class Display:
    """One window with a canvas of fixed size, scaled and centred.  `close` can be called twice.

    In a window of the canvas's size the canvas is the window, without a copy.  In fullscreen SDL scales.
    """

    def __init__(
        self, size: Size = (1280, 720), *, title: str = "", window: Size | None = None, fullscreen: bool = False
    ) -> None:
        _open_display()
        pygame.display.set_caption(title)
        self.size = size
        self.canvas = pygame.Surface(size)
        self.fullscreen = fullscreen
        self._window_size = window or size
        self._area = pygame.Rect((0, 0), size)  # of the canvas in the window
        self._open()

    def close(self) -> None:
        """Close the window."""
        if pygame.display.get_init():
            pygame.display.quit()

    def present(self) -> None:
        """Show the canvas."""
        if self.canvas is not self.window:
            _fit(self.canvas, self.window.subsurface(self._area))
        pygame.display.flip()

    def resized(self) -> None:
        """Adopt the size of a window whose edge the user dragged."""
        if (window := pygame.display.get_surface()) is not None:
            self._adopt(window)
            if not self.fullscreen:
                self._window_size = window.get_size()

    def set_window_size(self, size: Size) -> None:
        """Set the window's size, in fullscreen for later."""
        if size != self._window_size:
            self._window_size = size
            if not self.fullscreen:
                self._open()

    def set_fullscreen(self, fullscreen: bool) -> None:
        """Fill the screen, or return to the window's size."""
        if fullscreen != self.fullscreen:
            self.fullscreen = fullscreen
            self._open()

    def to_canvas(self, pos: Point) -> Point:
        """Return the place on the canvas of a place in the window; the nearest edge for the border."""
        x = (pos[0] - self._area.x) * self.size[0] // max(1, self._area.w)
        y = (pos[1] - self._area.y) * self.size[1] // max(1, self._area.h)
        return min(max(x, 0), self.size[0] - 1), min(max(y, 0), self.size[1] - 1)

    def _open(self) -> None:
        if self.fullscreen:
            try:
                self._adopt(pygame.display.set_mode(self.size, pygame.FULLSCREEN | pygame.SCALED))
            except pygame.error:  # no renderer to scale with
                self._adopt(pygame.display.set_mode((0, 0), pygame.FULLSCREEN))
        else:
            self._adopt(pygame.display.set_mode(self._window_size, pygame.RESIZABLE))

    def _adopt(self, window: pygame.Surface) -> None:
        """Draw straight on a window of the canvas's size, else on a separate canvas."""
        self.window = window
        window.fill((0, 0, 0))
        self.canvas = window if window.get_size() == self.size else pygame.Surface(self.size)
        self._area = fit_rect(self.size, window.get_rect())


def _open_display() -> None:
    """Raise DisplayError without a display, where SDL would fall back to drawing offscreen."""
    try:
        pygame.display.init()
    except pygame.error as error:
        raise DisplayError(f"expected a display, got none: {error}") from error
    if pygame.display.get_driver() == "offscreen" and not os.environ.get("SDL_VIDEODRIVER"):
        pygame.display.quit()
        raise DisplayError(f"expected a display, got none at DISPLAY={os.environ.get('DISPLAY', '')!r}")


def fit_rect(size: Size, into: pygame.Rect, *, whole: bool = False) -> pygame.Rect:
    """Return the largest centred rectangle in `into` with the shape of `size`.

    `whole`: enlarge by a whole number, unless that leaves more than a quarter of the room's length unused.
    """
    scale = min(into.w / size[0], into.h / size[1])
    if whole and scale >= 1 and int(scale) >= WHOLE * scale:
        scale = int(scale)
    fitted = pygame.Rect(0, 0, max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    fitted.center = into.center
    return fitted.clip(into) if into.w and into.h else fitted


def _fit(source: pygame.Surface, target: pygame.Surface) -> None:
    """Fill `target` with `source`: copied, repeated by whole numbers, or smoothed."""
    (width, height), (wide, high) = source.get_size(), target.get_size()
    if (width, height) == (wide, high):
        target.blit(source, (0, 0))
    elif wide % width == 0 and high % height == 0:
        pygame.transform.scale(source, (wide, high), target)
    else:
        pygame.transform.smoothscale(source, (wide, high), target)
