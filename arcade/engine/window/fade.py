"""Fade: the last picture of a screen disappears over the next screen; input goes to the next one from the beginning."""

from __future__ import annotations

import pygame

SECONDS = 0.12
LARGEST = 2_400_000
"""Pixels of the largest window that fades: blending more takes longer than a frame has."""


class Fade:
    """Call `begin` before the first frame of another screen is drawn, and `draw` after each frame."""

    def __init__(self) -> None:
        self._before: pygame.Surface | None = None
        self._began = 0.0

    def begin(self, canvas: pygame.Surface, now: float) -> None:
        """Keep the picture that is on the canvas."""
        if canvas.get_width() * canvas.get_height() <= LARGEST:
            self._before, self._began = canvas.copy(), now

    def draw(self, canvas: pygame.Surface, now: float) -> None:
        """Draw what is left of that picture."""
        if self._before is None:
            return
        left = 1 - (now - self._began) / SECONDS
        if left <= 0 or self._before.get_size() != canvas.get_size():
            self._before = None
            return
        self._before.set_alpha(min(254, round(255 * left)))  # SDL takes ten times as long for 255
        canvas.blit(self._before, (0, 0))
