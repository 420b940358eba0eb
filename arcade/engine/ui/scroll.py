"""Scroll: which rows of a long list are seen."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme

LEAST_BAR = 24  # least height of a scroll bar, in pixels


class Scroll:
    """Of `count` rows `room` are seen, from `top` on.

    >>> scroll = Scroll().fit(10, room=4)
    >>> scroll.show(5)
    >>> scroll.rows
    range(2, 6)
    """

    def __init__(self) -> None:
        self.top, self.count, self.room = 0, 0, 1

    def fit(self, count: int, *, room: int) -> Scroll:
        """Set how many rows there are and how many are seen; `top` stays as far as it can."""
        self.count, self.room = count, max(1, room)
        self.scroll(0)
        return self

    @property
    def rows(self) -> range:
        """The rows in sight."""
        return range(self.top, min(self.count, self.top + self.room))

    def show(self, row: int) -> None:
        """Scroll as little as brings `row` into sight."""
        self.top = min(max(self.top, row - self.room + 1), row)

    def scroll(self, by: int) -> bool:
        """Move on by so many rows; False where the end was reached already."""
        before, self.top = self.top, min(max(self.top + by, 0), max(0, self.count - self.room))
        return self.top != before

    def row_at(self, y: int, height: int) -> int | None:
        """The row `y` pixels below the first one's top, where rows are so high; None where none is in sight."""
        row = self.top + y // height
        return row if row in self.rows else None

    def draw_bar(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw the bar at the right of `area`, where not all rows are seen."""
        if self.count > self.room:
            height = max(LEAST_BAR, area.h * self.room // self.count)
            top = area.top + (area.h - height) * self.top // (self.count - self.room)
            pygame.draw.rect(canvas, theme.EDGE, (area.right - 10, top, 5, height), border_radius=2)
