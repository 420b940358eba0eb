"""DataTable: rows of figures under headings; where the window is narrow, the last columns are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.lists import RowView
from arcade.engine.ui.theme import Colour, Size, Theme

PAD, GAP = 18, 14  # units at the sides and between columns
BAR_TEXT = 225  # units of the text in a bar's cell


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading, and its relative width."""

    title: str
    share: float = 1.0
    figures: bool = False  # aligned to the right
    least: float = 110  # units, below which the column is left out


@dataclass(frozen=True, slots=True)
class Bar:
    """A drawn cell: a value in 0 … 1 with its interval and text."""

    value: float
    low: float
    high: float
    text: str
    dot: bool = False  # a position on a scale instead of an amount


Cell = str | Bar


class DataTable(RowView):
    """Rows of cells; `press` gets the index of the row on accept or a click."""

    row_units, head_units = 34.0, 40.0

    def __init__(
        self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]] = (), *, empty: str = "", hint: str = "",
        press: Callable[[int], None] | None = None, moved: Callable[[int], None] | None = None, grow: float = 1.0,
        wanted: int = 8, width: float = 800, key: str = "",
    ) -> None:  # fmt: skip
        super().__init__(press=press, moved=moved, hint=hint, grow=grow, rows=wanted, width=width, key=key)
        self.empty, self.columns = empty, tuple(columns)
        self.rows: tuple[tuple[Cell, ...], ...] = ()
        self.set_rows(rows)

    def set_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Show other rows, and keep the selection's place."""
        self.rows = tuple(tuple(row) for row in rows)
        self.fit(len(self.rows))

    @property
    def spoken(self) -> str:
        if not self.rows:
            return self.empty
        cells = zip(self.columns, self.rows[self.index], strict=False)
        return ", ".join(f"{column.title} {text}" for column, cell in cells if (text := _text_of(cell)))

    def natural(self, theme: Theme, width: int) -> Size:
        wide, high = super().natural(theme, width)
        return wide, max(high, self._notice_height(theme, wide))

    def least_height(self, theme: Theme, width: int) -> int:
        return max(super().least_height(theme, width), self._notice_height(theme, width))

    def _notice_height(self, theme: Theme, width: int) -> int:
        """The height of the head and the text in place of rows; 0 where there are rows."""
        return 0 if self.rows else theme.px(self.head_units) + self._notice(theme, width).get_height() + theme.gap

    def shown_columns(self, theme: Theme) -> int:
        """Return how many columns have room, at least one."""
        room, count = self.rect.w - 2 * theme.px(PAD) - theme.px(10), len(self.columns)
        while count > 1 and sum(theme.px(c.least + GAP) for c in self.columns[:count]) > room:
            count -= 1
        return count

    def draw_head(self, canvas: pygame.Surface, theme: Theme) -> None:
        rect, muted = self.rect, theme.colours.muted
        for column, (left, width) in zip(self.columns, self._spans(theme), strict=False):
            _put(canvas, theme, column, column.title, pygame.Rect(left, rect.top, width, self._head), colour=muted)
        y, pad = rect.top + self._head - theme.px(2), theme.px(PAD)
        pygame.draw.line(canvas, theme.colours.edge, (rect.left + pad, y), (rect.right - pad, y))
        if not self.rows:
            picture = self._notice(theme, rect.w)
            at = picture.get_rect(center=rect.center)
            canvas.blit(picture, (at.left, max(at.top, rect.top + self._head)))

    def _notice(self, theme: Theme, width: int) -> pygame.Surface:
        """Draw the text in place of rows."""
        return theme.paragraph(self.empty, width=width - 2 * theme.px(PAD), colour=theme.colours.faint)

    def _text_size(self, theme: Theme, place: int, width: int, height: int) -> float:
        """Return the size of a column's texts: one for all visible rows, so that none looks more important."""
        texts = [_text_of(self.rows[row][place]) for row in self.visible if place < len(self.rows[row])]
        look = {"width": width, "height": height, "size": themes.SMALL, "bold": False}
        return min((theme.fit(text, **look)[0] or themes.SMALLEST for text in texts), default=themes.SMALL)

    def draw_row(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: int) -> None:
        if row == self.index:
            plate = area.inflate(-theme.px(12), -theme.px(2))
            pygame.draw.rect(canvas, theme.colours.raised, plate, border_radius=theme.px(6))
        cells = zip(self.columns, self._spans(theme), self.rows[row], strict=False)
        for place, (column, (left, width), cell) in enumerate(cells):
            at = pygame.Rect(left, area.top, width, area.h)
            if isinstance(cell, Bar):
                _draw_bar(canvas, theme, cell, at)
            else:
                _put(canvas, theme, column, cell, at, size=self._text_size(theme, place, width, area.h))

    def _row_height(self, theme: Theme) -> int:
        lines = theme.line_height(themes.SMALL) + theme.px(6), 2 * theme.line_height(themes.SMALLEST)
        return max(theme.px(self.row_units), *lines)

    def _spans(self, theme: Theme) -> list[tuple[int, int]]:
        """Return left edge and width of each column with room."""
        columns = self.columns[: self.shown_columns(theme)]
        room = self.rect.w - 2 * theme.px(PAD) - theme.px(10) - theme.px(GAP) * (len(columns) - 1)
        least, whole = [theme.px(column.least) for column in columns], sum(column.share for column in columns)
        spare = room - sum(least)  # below 0 only for a single column
        spans, left = [], self.rect.left + theme.px(PAD)
        for column, low in zip(columns, least, strict=True):
            width = low + round(spare * column.share / whole)
            spans.append((left, width))
            left += width + theme.px(GAP)
        return spans


def _text_of(cell: Cell) -> str:
    return cell.text if isinstance(cell, Bar) else cell


def _put(
    canvas: pygame.Surface, theme: Theme, column: Column, text: str, area: pygame.Rect, *,
    colour: Colour | None = None, size: float = themes.SMALL,
) -> None:  # fmt: skip
    anchor = "midright" if column.figures else "midleft"
    at = getattr(area, anchor)
    theme.draw_text(canvas, text, at, size=size, colour=colour, anchor=anchor, width=area.w, height=area.h)


def _draw_bar(canvas: pygame.Surface, theme: Theme, bar: Bar, area: pygame.Rect) -> None:
    """Draw the value as a filled bar, its interval as a line with end marks, the text to the right."""
    wide = min(theme.px(BAR_TEXT), area.w)
    text = theme.fitted(bar.text, width=wide - theme.px(10), height=area.h, size=themes.SMALL, align=pygame.FONT_RIGHT)
    canvas.blit(text, text.get_rect(midright=area.midright))
    if area.w - wide < theme.px(40):
        return
    px, ink, blue = theme.px, theme.colours.ink, theme.colours.teams[0]
    track = pygame.Rect(area.left, area.centery - px(5), area.w - wide, px(10))
    pygame.draw.rect(canvas, theme.colours.edge, track, border_radius=px(4))
    at = round(track.w * bar.value)
    if not bar.dot:
        pygame.draw.rect(canvas, blue, (track.left, track.top, at, track.h), border_radius=px(4))
    low, high = (track.left + round(track.w * end) for end in (bar.low, bar.high))
    pygame.draw.line(canvas, ink, (low, track.centery), (high, track.centery), px(2))
    for end in (low, high):
        pygame.draw.line(canvas, ink, (end, track.top - px(2)), (end, track.bottom + px(1)), px(2))
    if bar.dot:
        pygame.draw.circle(canvas, blue, (track.left + at, track.centery), px(6))
        pygame.draw.circle(canvas, ink, (track.left + at, track.centery), px(6), px(1))
