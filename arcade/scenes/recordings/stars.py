"""Stars: a rating of none to five."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.language import ngettext

MOST_STARS = 5
PITCH = 32  # units from star to star


def draw_stars(canvas: pygame.Surface, theme: Theme, rating: int, area: pygame.Rect, *, pitch: int) -> None:
    """Draw five stars in the middle of `area`, the first `rating` of them filled; `pitch` in pixels."""
    left, colours = area.centerx - pitch * (MOST_STARS - 1) // 2, theme.colours
    for place in range(MOST_STARS):
        centre = pygame.Vector2(left + place * pitch, area.centery)
        points = [
            centre + pygame.Vector2(0, -pitch * (0.198 if tip % 2 else 0.44)).rotate(36 * tip) for tip in range(10)
        ]
        if place < rating:
            pygame.draw.polygon(canvas, colours.yellow, points)
        pygame.draw.aalines(canvas, colours.yellow if place < rating else colours.faint, True, points)


class Stars(Widget):
    """The rating of a recording; a click on its last star removes that one."""

    focusable = True

    def __init__(self, *, rating: int, change: Callable[[int], None], enabled: bool = True, hint: str = "") -> None:
        super().__init__(enabled=enabled)
        self.rating, self._change, self.hint, self.key = rating, change, hint, "stars"
        self._pitch = 1

    @property
    def label(self) -> str:  # type: ignore[override]
        return ngettext("Rating: {count} star", "Rating: {count} stars", self.rating).format(count=self.rating)

    def natural(self, theme: Theme, width: int) -> Size:
        return min(width, theme.px(PITCH * MOST_STARS + 20)), theme.px(48)

    def set(self, rating: int) -> None:
        """Set the rating, limited to 0 … 5."""
        rating = min(max(rating, 0), MOST_STARS)
        if rating != self.rating:
            self.rating = rating
            self._change(rating)

    def pressed(self) -> bool:
        self.set((self.rating + 1) % (MOST_STARS + 1))
        return True

    def menu(self, event: MenuInput) -> bool:
        return event.is_accept and not event.repeated and self.pressed()

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            self.set(self.rating + (1 if event.wheel > 0 else -1))
        elif event.is_click:
            place = (event.pos[0] - self.rect.centerx + self._pitch * MOST_STARS // 2) // self._pitch + 1
            self.set(place - 1 if place == self.rating else place)
        else:
            return False
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        self._pitch = min(theme.px(PITCH), (self.rect.w - theme.px(16)) // MOST_STARS)
        fill = theme.colours.raised if self.enabled else theme.colours.ground
        theme.draw_panel(canvas, self.rect, fill=fill, edge=theme.colours.raised)
        draw_stars(canvas, theme, self.rating, self.rect, pitch=self._pitch)
        if self.focused:
            theme.draw_focus(canvas, self.rect)
