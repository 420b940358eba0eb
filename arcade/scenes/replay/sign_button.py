"""SignButton: play, pause and step, by signs instead of text."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui.controls import Button
from arcade.engine.ui.texts import Text, text_of
from arcade.engine.ui.theme import Colour, Size, Theme

WIDTH = 52  # units


class SignButton(Button):
    """A button with a sign: play, pause, back, on, previous, next; the label is read aloud."""

    def __init__(self, sign: Text, label: Text, press: Callable[[], None], *, hint: str, primary: bool = False) -> None:
        super().__init__(label, press, primary=primary, hint=hint, key=hint)
        self.sign = sign

    def natural(self, theme: Theme, width: int) -> Size:
        return min(width, theme.px(WIDTH)), theme.px(self.height)

    def least(self, theme: Theme) -> int:
        return theme.px(WIDTH)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        fill, ink = self._colours(theme)
        theme.draw_panel(canvas, self.rect, fill=fill)
        draw_sign(canvas, text_of(self.sign), self.rect.center, min(self.rect.size) * 26 // 100, ink)
        if self.focused:
            theme.draw_focus(canvas, self.rect, over=self.primary)


def draw_sign(canvas: pygame.Surface, sign: str, at: tuple[int, int], size: int, ink: Colour) -> None:
    """Draw a sign; `size` is half its height in pixels."""
    x, y = at
    thick, beside = max(2, size // 3), size + max(2, size // 4)
    if sign == "pause":
        for side in (-1, 1):
            _draw_bar(canvas, ink, (x + side * size * 6 // 10, y), size, width=max(4, size * 6 // 10))
        return
    way = -1 if sign in ("back", "previous") else 1
    blunt, tip = x - way * size * 7 // 10, x + way * size
    pygame.draw.polygon(canvas, ink, [(blunt, y - size), (blunt, y + size), (tip, y)])
    if sign in ("back", "on"):  # one tick: a bar at the blunt end
        _draw_bar(canvas, ink, (x - way * beside, y), size, width=thick)
    elif sign in ("previous", "next"):  # up to a mark: a bar at the tip
        _draw_bar(canvas, ink, (x + way * beside, y), size, width=thick)


def _draw_bar(canvas: pygame.Surface, ink: Colour, at: tuple[int, int], size: int, *, width: int) -> None:
    bar = pygame.Rect(0, 0, width, 2 * size)
    bar.center = at
    pygame.draw.rect(canvas, ink, bar)
