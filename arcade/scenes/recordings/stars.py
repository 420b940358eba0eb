"""Stars: a rating of none to five, one more with each press, or by a click or the wheel."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Area, Row

MOST = 5


def draw_stars(canvas: pygame.Surface, rating: int, area: pygame.Rect, *, pitch: int) -> None:
    """Five stars in the middle of `area`, as many of them full; told apart without colour too."""
    left = area.centerx - pitch * (MOST - 1) // 2
    for place in range(MOST):
        centre = left + place * pitch, area.centery
        points = _star(centre, pitch * 0.44)
        if place < rating:
            pygame.draw.polygon(canvas, theme.YELLOW, points)
        pygame.draw.aalines(canvas, theme.YELLOW if place < rating else theme.FAINT, True, points)


def _star(centre: tuple[int, int], radius: float) -> list[tuple[float, float]]:
    radii = (radius, radius * 0.45)
    return [
        (centre[0] + radii[tip % 2] * sin(tip * pi / 5), centre[1] - radii[tip % 2] * cos(tip * pi / 5))
        for tip in range(2 * MOST)
    ]


class Stars(Row):
    """How good a recording is; a click on the star that is the last one takes it away."""

    def __init__(self, rect: Area, *, rating: int, change: Callable[[int], None], hint: str = "") -> None:
        super().__init__(rect, "", hint=hint)
        self.rating, self._change = rating, change

    def set(self, rating: int) -> None:
        """Give as many stars, within 0 … 5."""
        rating = min(max(rating, 0), MOST)
        if rating != self.rating:
            self.rating = rating
            self._change(rating)

    def menu(self, event: MenuInput) -> bool:
        if event.action != "accept" or event.repeated:
            return False  # left and right go on to the neighbours, which stand in one line with it
        self.set((self.rating + 1) % (MOST + 1))
        return True

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            self.set(self.rating + (1 if event.wheel > 0 else -1))
        elif event.kind == "press" and event.button == 1:
            place = (event.pos[0] - self.rect.centerx + self._pitch * MOST // 2) // self._pitch + 1
            self.set(place - 1 if place == self.rating else place)
        else:
            return False
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        if self.enabled:
            super().draw(canvas, focused=focused)
            return
        theme.draw_panel(canvas, self.rect, fill=theme.GROUND, edge=theme.RAISED)
        self.draw_value(canvas)

    def draw_value(self, canvas: pygame.Surface) -> None:
        draw_stars(canvas, self.rating, self.rect, pitch=self._pitch)

    @property
    def _pitch(self) -> int:
        return min(34, (self.rect.w - 16) // MOST)
