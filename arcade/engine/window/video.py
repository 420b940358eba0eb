"""Display: the window, its size, and full screen."""

from __future__ import annotations

import os

import pygame

from agents.errors import UserError

Size = tuple[int, int]

BARS = 80  # pixels of a desktop's height for its bars and the frame of a window that would be higher

WHOLE = 0.75  # least share of the largest scale at which a whole one is preferred


class DisplayError(UserError):
    """No display is available."""


class Display:
    """One window, whose surface is the canvas: everything is drawn at its own resolution.  `close` can be called twice.

    In fullscreen it has the resolution of the desktop.
    """

    def __init__(self, size: Size = (1280, 720), *, title: str = "", fullscreen: bool = False) -> None:
        open_display()
        pygame.display.set_caption(title)
        self.fullscreen = fullscreen
        self._window_size = size
        self._open()

    def close(self) -> None:
        """Close the window."""
        if pygame.display.get_init():
            pygame.display.quit()

    @property
    def size(self) -> Size:
        """Width and height of the canvas in pixels."""
        size: Size = self.canvas.get_size()
        return size

    @property
    def is_minimised(self) -> bool:
        """Whether nothing of the window can be seen."""
        return not pygame.display.get_active()

    def present(self) -> None:
        """Show what was drawn."""
        pygame.display.flip()

    def resized(self) -> None:
        """Adopt the size of a window whose edge the user dragged."""
        if (window := pygame.display.get_surface()) is not None:
            self.canvas = window
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

    def _open(self) -> None:
        size = (0, 0) if self.fullscreen else _within_desktop(self._window_size)
        flags = pygame.FULLSCREEN if self.fullscreen else pygame.RESIZABLE
        self.canvas = pygame.display.set_mode(size, flags)


def _within_desktop(size: Size) -> Size:
    """Return the size, or one beside the bars of a smaller desktop; a driver without a screen has none."""
    if pygame.display.get_driver() in ("dummy", "offscreen"):
        return size
    width, height = pygame.display.get_desktop_sizes()[0]
    return min(size[0], width), size[1] if size[1] <= height else height - BARS


def open_display() -> None:
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
