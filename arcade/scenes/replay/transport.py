"""The buttons of a recording: play and stop, a tick back and on, the mark before and the next."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button


class SignButton(Button):
    """A button with a sign in place of words: play, pause, back, on, previous, next."""

    sign = "play"

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        words, self.words = self.words, ""
        super().draw(canvas, focused=focused)
        self.words = words
        ink = theme.GROUND if self.primary else theme.INK
        draw_sign(canvas, self.sign, self.rect.center, min(self.rect.size) * 26 // 100, ink)


def draw_sign(canvas: pygame.Surface, sign: str, at: tuple[int, int], size: int, ink: theme.Colour) -> None:
    """One sign; `size` is half its height."""
    x, y = at
    if sign == "pause":
        for side in (-1, 1):
            bar = pygame.Rect(0, 0, max(4, size * 6 // 10), 2 * size)
            bar.center = (x + side * size * 6 // 10, y)
            pygame.draw.rect(canvas, ink, bar, border_radius=2)
        return
    way = -1 if sign in ("back", "previous") else 1
    pygame.draw.polygon(canvas, ink, [(x - way * size * 7 // 10, y - size), (x - way * size * 7 // 10, y + size),
                                      (x + way * size, y)])  # fmt: skip
    if sign in ("back", "on"):  # one tick: a bar behind
        _bar(canvas, ink, x - way * (size + 3), y, size)
    elif sign in ("previous", "next"):  # up to a mark: a bar before
        _bar(canvas, ink, x + way * (size + 3), y, size)


def _bar(canvas: pygame.Surface, ink: theme.Colour, x: int, y: int, size: int) -> None:
    bar = pygame.Rect(0, 0, 4, 2 * size)
    bar.center = (x, y)
    pygame.draw.rect(canvas, ink, bar)
