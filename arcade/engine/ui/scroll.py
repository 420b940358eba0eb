"""Scroll: a view of a widget that may be higher than the room.  WholeRows: what a finger scrolls of rows."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from arcade.engine.input.events import PointerInput
from arcade.engine.ui.layout import Box
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget


class Scroll(Box):
    """A child that may be higher than the room, then with a bar; follows the focus, the wheel and a drag."""

    WHEEL = 60  # units a step of the wheel

    def __init__(self, child: Widget, *, grow: float = 1.0, least: float = 120) -> None:
        super().__init__([child], grow=grow)
        self._low = least
        self.offset = 0  # pixels above the visible part
        self._high = 0  # of the child
        self._unit = 1.0
        self._dragged: int | None = None

    def natural(self, theme: Theme, width: int) -> Size:
        return self.children[0].measure(theme, width)

    def least_height(self, theme: Theme, width: int) -> int:
        return min(self.measure(theme, width)[1], theme.px(self._low))

    def least(self, theme: Theme) -> int:
        return self.children[0].least(theme) + self._bar(theme)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        self._unit = theme.unit
        width = rect.w
        if self.children[0].least_height(theme, width) > rect.h:
            width -= self._bar(theme)
        self._high = max(rect.h, self.children[0].least_height(theme, width))
        self.offset = min(max(self.offset, 0), self._high - rect.h)
        self.children[0].arrange(theme, pygame.Rect(rect.left, rect.top - self.offset, width, self._high))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        before, around = canvas.get_clip(), theme.px(8)  # the focus ring lies outside a widget
        canvas.set_clip(self.rect.inflate(2 * around, 2 * around).clip(before))
        super().draw(canvas, theme)
        canvas.set_clip(before)
        if self._high > self.rect.h:
            height = max(theme.px(24), self.rect.h * self.rect.h // self._high)
            top = self.rect.top + (self.rect.h - height) * self.offset // (self._high - self.rect.h)
            bar = pygame.Rect(self.rect.right - theme.px(5), top, theme.px(5), height)
            pygame.draw.rect(canvas, theme.colours.edge, bar, border_radius=theme.px(2))

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            return self.scroll_by(-round(event.wheel * self.WHEEL * self._unit))
        if event.kind == "scroll":
            return self.scroll_by(-event.pixels)
        if event.is_click:
            self._dragged = event.pos[1]
        elif event.kind == "release":
            self._dragged = None
        elif event.kind == "move" and self._dragged is not None:
            self.scroll_by(self._dragged - event.pos[1])
            self._dragged = event.pos[1]
        return self._dragged is not None

    def scroll_by(self, pixels: int) -> bool:
        """Scroll down by that many pixels; return whether the view moved."""
        before, self.offset = self.offset, min(max(self.offset + pixels, 0), max(0, self._high - self.rect.h))
        for child in self.children[0].walk():
            child.rect.move_ip(0, before - self.offset)
        return self.offset != before

    def at(self, pos: tuple[int, int]) -> Iterator[Widget]:
        return super().at(pos) if self.rect.collidepoint(pos) else iter(())

    def reveal(self, target: Widget) -> bool:
        if not super().reveal(target):
            return False
        wanted, around = target.rect, round(24 * self._unit)
        if wanted.h + around > self.rect.h:
            wanted = target.attention
        if wanted.top - around < self.rect.top:
            self.scroll_by(wanted.top - around - self.rect.top)
        elif wanted.bottom + around > self.rect.bottom:
            self.scroll_by(min(wanted.bottom + around - self.rect.bottom, wanted.top - self.rect.top))
        return True

    @staticmethod
    def _bar(theme: Theme) -> int:
        return theme.px(14)


class WholeRows:
    """Counts the rows that a finger has moved by.

    >>> finger = WholeRows()
    >>> [finger.moved(15, row=20) for _ in range(3)]
    [1, 0, 1]
    """

    def __init__(self) -> None:
        self._rest = 0  # pixels beyond whole rows

    def moved(self, pixels: int, row: int) -> int:
        """Return the rows, of `row` pixels each, that this movement completes; the rest counts for the next."""
        self._rest += pixels
        rows = round(self._rest / row)
        self._rest -= rows * row
        return rows
