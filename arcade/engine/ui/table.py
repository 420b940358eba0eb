"""DataTable: rows of figures under headings, scrolled by keys, pad and wheel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.menus import RowList
from arcade.engine.ui.widgets import Area, PaintedWidget

HEAD, ROW, PAD = 40, 34, 18
BAR_TEXT = 205  # width of the text in a bar's cell


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading, and its relative width."""

    title: str
    share: float = 1.0
    figures: bool = False  # aligned to the right


@dataclass(frozen=True, slots=True)
class Bar:
    """A drawn cell: a value in 0 … 1 with its interval and text."""

    value: float
    low: float
    high: float
    text: str
    dot: bool = False  # a position on a scale instead of an amount


Cell = str | Bar


class DataTable(PaintedWidget, RowList):
    """Rows of cells; `press` gets the index of the row on accept or a click."""

    HEAD, ROW, WHEEL = HEAD, ROW, 3

    def __init__(
        self, rect: Area, columns: Sequence[Column], *, empty: str = "", hint: str = "",
        press: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(rect, hint=hint, press=press)
        self.empty, self.columns = empty, tuple(columns)
        self.rows: tuple[tuple[Cell, ...], ...] = ()

    @property
    def shown(self) -> object:
        return self.columns, self.rows, self.index, self.scroll.top

    @property
    def label(self) -> str:
        """The focused row as one line, for the foot of an enlarged page."""
        cells = self.rows[self.index] if self.rows else ("table",)
        return ", ".join(text for cell in cells if (text := cell.text if isinstance(cell, Bar) else cell))

    def set_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Show other rows, and keep the focus."""
        self.rows = tuple(tuple(row) for row in rows)
        self.fit(len(self.rows))

    def paint(self) -> pygame.Surface:
        picture = theme.plate(self.rect.size)
        spans = self._spans()
        for column, (left, width) in zip(self.columns, spans, strict=True):
            _put(picture, column, column.title, pygame.Rect(left, 0, width, HEAD), colour=theme.MUTED)
        pygame.draw.line(picture, theme.EDGE, (PAD, HEAD - 2), (self.rect.w - PAD, HEAD - 2))
        if not self.rows:
            theme.draw_text(picture, self.empty, picture.get_rect().center, colour=theme.FAINT, anchor="center")
        for place, number in enumerate(self.scroll.rows):
            self._draw_row(picture, number, HEAD + place * ROW, spans)
        self.scroll.draw_bar(picture, pygame.Rect(0, HEAD, self.rect.w, self.rect.h - HEAD - 8))
        return picture

    def _spans(self) -> list[tuple[int, int]]:
        """Return left edge and width of each column."""
        room = self.rect.w - 2 * PAD - 10 - 14 * (len(self.columns) - 1)
        whole = sum(column.share for column in self.columns)
        spans, left = [], PAD
        for column in self.columns:
            width = round(room * column.share / whole)
            spans.append((left, width))
            left += width + 14
        return spans

    def _draw_row(self, picture: pygame.Surface, number: int, top: int, spans: list[tuple[int, int]]) -> None:
        if number == self.index:
            pygame.draw.rect(picture, theme.RAISED, (8, top + 1, self.rect.w - 24, ROW - 2), border_radius=6)
        for column, (left, width), cell in zip(self.columns, spans, self.rows[number], strict=False):
            area = pygame.Rect(left, top, width, ROW)
            if isinstance(cell, Bar):
                _draw_bar(picture, cell, area)
            else:
                _put(picture, column, cell, area)


def _put(
    picture: pygame.Surface, column: Column, text: str, area: pygame.Rect, *, colour: theme.Colour | None = None
) -> None:
    anchor = "midright" if column.figures else "midleft"
    at = getattr(area, anchor)
    theme.draw_text(picture, text, at, size=theme.SMALL, colour=colour, anchor=anchor, width=area.w)


def _draw_bar(picture: pygame.Surface, bar: Bar, area: pygame.Rect) -> None:
    """Draw the value as a filled bar, its interval as a line with end marks, the text to the right."""
    text = theme.fitted(bar.text, width=BAR_TEXT - 10, size=theme.SMALL)
    picture.blit(text, text.get_rect(midright=area.midright))
    track = pygame.Rect(area.left, area.centery - 5, max(10, area.w - BAR_TEXT), 10)
    pygame.draw.rect(picture, theme.EDGE, track, border_radius=4)
    at = round(track.w * bar.value)
    if not bar.dot:
        pygame.draw.rect(picture, theme.BLUE, (track.left, track.top, at, track.h), border_radius=4)
    low, high = (track.left + round(track.w * end) for end in (bar.low, bar.high))
    pygame.draw.line(picture, theme.INK, (low, track.centery), (high, track.centery), 2)
    for end in (low, high):
        pygame.draw.line(picture, theme.INK, (end, track.top - 2), (end, track.bottom + 1), 2)
    if bar.dot:
        pygame.draw.circle(picture, theme.BLUE, (track.left + at, track.centery), 6)
        pygame.draw.circle(picture, theme.INK, (track.left + at, track.centery), 6, 1)
