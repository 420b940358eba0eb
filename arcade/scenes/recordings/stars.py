"""Stars: a rating of none to five, one more with each press, or by a click or the wheel."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Area, Row

MOST = 5


def draw_stars(canvas: pygame.Surface, rating: int, area: pygame.Rect, *, pitch: int) -> None:
    """Draw five stars in the middle of `area`, the first `rating` of them filled."""
    left = area.centerx - pitch * (MOST - 1) // 2
    for place in range(MOST):
        centre = pygame.Vector2(left + place * pitch, area.centery)
        points = [
            centre + pygame.Vector2(0, -pitch * (0.198 if tip % 2 else 0.44)).rotate(36 * tip) for tip in range(10)
        ]
        if place < rating:
            pygame.draw.polygon(canvas, theme.YELLOW, points)
        pygame.draw.aalines(canvas, theme.YELLOW if place < rating else theme.FAINT, True, points)


class Stars(Row):
    """The rating of a recording; a click on its last star removes that one."""

    def __init__(self, rect: Area, *, rating: int, change: Callable[[int], None], hint: str = "") -> None:
        super().__init__(rect, "", hint=hint)
        self.rating, self._change = rating, change

    def set(self, rating: int) -> None:
        """Set the rating, limited to 0 … 5."""
        rating = min(max(rating, 0), MOST)
        if rating != self.rating:
            self.rating = rating
            self._change(rating)

    def menu(self, event: MenuInput) -> bool:
        if event.action != "accept" or event.repeated:
            return False  # left and right move to the neighbours in the row
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
