"""Scroll: the visible rows of a long list."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme

LEAST_BAR = 24  # least height of a scroll bar, in pixels


class Scroll:
    """A view of `room` out of `count` rows, from `top` on.

    >>> scroll = Scroll().fit(10, room=4)
    >>> scroll.show(5)
    >>> scroll.rows
    range(2, 6)
    """

    def __init__(self) -> None:
        self.top, self.count, self.room = 0, 0, 1

    def fit(self, count: int, *, room: int) -> Scroll:
        """Set the numbers of all and of visible rows, and keep `top` within them."""
        self.count, self.room = count, max(1, room)
        self.scroll(0)
        return self

    @property
    def rows(self) -> range:
        """The visible rows."""
        return range(self.top, min(self.count, self.top + self.room))

    def show(self, row: int) -> None:
        """Scroll `row` into view."""
        self.top = min(max(self.top, row - self.room + 1), row)

    def scroll(self, by: int) -> bool:
        """Scroll by that many rows; return whether the view moved."""
        before, self.top = self.top, min(max(self.top + by, 0), max(0, self.count - self.room))
        return self.top != before

    def row_at(self, y: int, height: int) -> int | None:
        """Return the visible row at `y` pixels from the top; None without one."""
        row = self.top + y // height
        return row if row in self.rows else None

    def draw_bar(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw the scroll bar at the right of `area`, unless all rows are visible."""
        if self.count > self.room:
            height = max(LEAST_BAR, area.h * self.room // self.count)
            top = area.top + (area.h - height) * self.top // (self.count - self.room)
            pygame.draw.rect(canvas, theme.EDGE, (area.right - 10, top, 5, height), border_radius=2)
