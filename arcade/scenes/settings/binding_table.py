"""BindingTable: a row for each control, with a cell for each of its keys and buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import RowList
from arcade.scenes.settings.binding_pages import BindingRow

SMALLEST = 14  # text size in two lines
CELLS = 3
"""Least number of cells in a row; an empty cell adds a key where there is room."""

Cell = tuple[BindingRow, int]
"""A row, and the place among its keys and buttons, or the one after the last."""


class BindingTable(RowList):
    """Calls `pick` with the chosen cell, and `drop` to remove its key or button."""

    def __init__(self, rect: pygame.Rect, *, pick: Callable[[Cell], None], drop: Callable[[Cell], None]) -> None:
        super().__init__(rect, press=lambda row: pick(self.chosen), hint="Choose a cell, then press a key or button")
        self._drop = drop
        self.rows: list[BindingRow] = []
        self.cell, self._cells = 0, CELLS

    def show(self, rows: Sequence[BindingRow]) -> None:
        """Show other rows; the chosen cell stays where possible."""
        self.rows = list(rows)
        self._cells = min(6, max(CELLS, *(len(row.sources) for row in rows))) if rows else CELLS
        self.fit(len(self.rows))
        self.select(self.index)

    @property
    def label(self) -> str:
        """The text of the focused row."""
        return self.rows[self.index].label if self.rows else ""

    @property
    def chosen(self) -> Cell:
        """The focused cell."""
        return self.rows[self.index], self.cell

    @property
    def attention(self) -> pygame.Rect:
        return self.cell_rect(self.index, self.cell)

    def select(self, index: int) -> bool:
        moved = super().select(index)
        self._choose(self.cell)
        return moved

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1}.get(event.action, 0)
        return self._choose(self.cell + by) if by else super().menu(event)

    def pointer(self, event: PointerInput) -> bool:
        row = self.scroll.row_at(event.pos[1] - self.rect.top, self.ROW)
        if row is not None and event.kind != "wheel":
            self.select(row)
            cells = (cell for cell in range(self._cells) if self.cell_rect(row, cell).collidepoint(event.pos))
            self._choose(next(cells, 0))
            if event.kind == "press" and event.button == 3:
                self.remove()
        return super().pointer(event)

    def remove(self) -> None:
        """Remove the key or button in the chosen cell."""
        if self.rows and self.cell < len(self.rows[self.index].sources):
            self._drop(self.chosen)

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        theme.draw_panel(canvas, self.rect)
        for row in self.scroll.rows:
            self._draw_row(canvas, row, focused=focused and row == self.index)
        self.scroll.draw_bar(canvas, self.rect)

    def _choose(self, cell: int) -> bool:
        """Choose the nearest cell of the row; return whether it is another one."""
        filled = len(self.rows[self.index].sources) if self.rows else 0
        before, self.cell = self.cell, min(max(cell, 0), filled, self._cells - 1)
        return self.cell != before

    def row_rect(self, row: int) -> pygame.Rect:
        at = super().row_rect(row)
        return pygame.Rect(at.left, at.top, at.w - 14, at.h)

    def cell_rect(self, row: int, cell: int) -> pygame.Rect:
        """Return the area of a cell."""
        at = self.row_rect(row)
        left = at.left + at.w * (2 if self._cells <= CELLS else 1) // (5 if self._cells <= CELLS else 4)
        width = (at.right - left) // self._cells
        return pygame.Rect(left + cell * width, at.top, width, at.h).inflate(-8, -10)

    def _draw_row(self, canvas: pygame.Surface, place: int, *, focused: bool) -> None:
        row, at = self.rows[place], self.row_rect(place)
        width = self.cell_rect(place, 0).left - at.left - 32
        left, middle = at.left + 18, at.centery
        if row.detail:
            look = {"size": theme.SMALL, "colour": theme.MUTED, "anchor": "midleft", "width": width}
            theme.draw_text(canvas, row.detail, (left, middle + 11), **look)  # type: ignore[arg-type]
            middle -= 9
        theme.draw_text(canvas, row.label, (left, middle), size=theme.SMALL, bold=True, anchor="midleft", width=width)
        for cell in range(min(self._cells, len(row.caps) + 1)):
            rect = self.cell_rect(place, cell)
            self._draw_cap(canvas, rect, row.caps[cell] if cell < len(row.caps) else "")
            if focused and cell == self.cell:
                theme.draw_focus(canvas, rect.inflate(-6, -6))

    def _draw_cap(self, canvas: pygame.Surface, rect: pygame.Rect, text: str) -> None:
        theme.draw_panel(canvas, rect, fill=theme.RAISED if text else theme.PANEL, edge=theme.EDGE)
        ink = theme.INK if text else theme.MUTED
        picture = theme.text(text or "+", size=theme.SMALL, colour=ink)
        if picture.get_width() > rect.w - 12:
            picture = theme.paragraph(text, width=rect.w - 8, size=SMALLEST, colour=ink)
        canvas.blit(picture, picture.get_rect(center=rect.center), (0, 0, *rect.size))
