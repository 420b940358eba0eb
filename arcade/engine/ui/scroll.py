"""Scroll: the visible rows of a long list.  RowList: base of the widgets that show rows."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Area, Widget

LEAST_BAR = 24  # least height of a scroll bar, in pixels
BEGINNING = 400  # pixels of a wide row that fit a page at scale 3, which shows 426


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


class RowList(Widget):
    """Rows scrolled by keys, pad and wheel, one of them selected; up and down leave the list at its ends.

    `press` gets the index of the row on accept or a click.  A subclass draws the rows.
    """

    HEAD, ROW, WHEEL = 0, 46, 1  # heights of the heading and of a row, and the rows that a step of the wheel scrolls

    def __init__(self, rect: Area, *, press: Callable[[int], None] | None = None, hint: str = "") -> None:
        super().__init__(rect)
        self.hint, self._press = hint, press
        self.index, self.scroll = 0, Scroll()

    def fit(self, count: int) -> None:
        """Set the number of rows; the selection stays where possible."""
        self.scroll.fit(count, room=(self.rect.h - self.HEAD) // self.ROW)
        self.index = min(self.index, max(0, count - 1))

    def row_rect(self, row: int) -> pygame.Rect:
        """Return the area of a row."""
        top = self.rect.top + self.HEAD + (row - self.scroll.top) * self.ROW
        return pygame.Rect(self.rect.left, top, self.rect.w, self.ROW)

    @property
    def attention(self) -> pygame.Rect:
        row = self.row_rect(self.index).clip(self.rect)
        return pygame.Rect(row.topleft, (min(row.w, BEGINNING), row.h))

    def select(self, index: int) -> bool:
        """Select the nearest row and scroll it into view; return whether it is another one."""
        before, self.index = self.index, min(max(index, 0), max(0, self.scroll.count - 1))
        self.scroll.show(self.index)
        return self.index != before

    def pressed(self) -> bool:
        if self._press is not None and self.scroll.count:
            self._press(self.index)
        return True

    def menu(self, event: MenuInput) -> bool:
        if event.action in ("next", "previous"):
            self.select(self.index + (self.scroll.room if event.action == "next" else -self.scroll.room))
            return True
        by = {"up": -1, "down": 1}.get(event.action, 0)
        return self.select(self.index + by) if by else super().menu(event)

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            self.scroll.scroll(-self.WHEEL * event.wheel)
            return True
        row = self.scroll.row_at(event.pos[1] - self.rect.top - self.HEAD, self.ROW)
        if row is not None and (event.kind == "move" or event.is_click):
            self.select(row)
        return row is not None and (super().pointer(event) or True)
