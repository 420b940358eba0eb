"""BindingTable: a row for each control, with a cell for each of its keys and buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.widgets import Widget
from arcade.scenes.settings.binding_pages import BindingRow

ROW = 46
SMALLEST = 14  # text size in two lines
CELLS = 3
"""Least number of cells in a row; an empty cell adds a key where there is room."""

Cell = tuple[BindingRow, int]
"""A row, and the place among its keys and buttons, or the one after the last."""


class BindingTable(Widget):
    """Calls `pick` with the chosen cell, and `drop` to remove its key or button."""

    def __init__(
        self,
        rect: pygame.Rect,
        rows: Sequence[BindingRow],
        *,
        pick: Callable[[Cell], None],
        drop: Callable[[Cell], None],
    ) -> None:
        super().__init__(rect)
        self.hint = "Choose a cell, then press a key or button"
        self._pick, self._drop = pick, drop
        self.rows: list[BindingRow] = []
        self.row = self.cell = 0
        self.scroll = Scroll()
        self.show(rows)

    def show(self, rows: Sequence[BindingRow]) -> None:
        """Show other rows; the chosen cell stays where possible."""
        self.rows = list(rows)
        self._cells = min(6, max(CELLS, *(len(row.sources) for row in rows))) if rows else CELLS
        self.scroll.fit(len(self.rows), room=self.rect.h // ROW)
        self._go(self.row, self.cell)

    @property
    def words(self) -> str:
        """The text of the focused row."""
        return self.rows[self.row].words if self.rows else ""

    @property
    def chosen(self) -> Cell | None:
        """The focused cell."""
        return (self.rows[self.row], self.cell) if self.rows else None

    @property
    def attention(self) -> pygame.Rect:
        return self.cell_rect(self.row, self.cell)

    def menu(self, event: MenuInput) -> bool:
        before = self.row, self.cell
        match event.action:
            case "up" | "down":
                self._go(self.row + (1 if event.action == "down" else -1), self.cell)
            case "left" | "right":
                self._go(self.row, self.cell + (1 if event.action == "right" else -1))
            case "accept" if self.rows:
                if not event.repeated:
                    self._pick((self.rows[self.row], self.cell))
                return True
        return (self.row, self.cell) != before

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            self.scroll.scroll(-event.wheel)
            return True
        row = self.scroll.row_at(event.pos[1] - self.rect.top, ROW)
        if row is None:
            return False
        self._go(row, next((c for c in range(self._cells) if self.cell_rect(row, c).collidepoint(event.pos)), 0))
        if event.kind == "press" and event.button == 1:
            self._pick((self.rows[self.row], self.cell))
        elif event.kind == "press" and event.button == 3:
            self.remove()
        return True

    def remove(self) -> None:
        """Remove the key or button in the chosen cell."""
        if self.rows and self.cell < len(self.rows[self.row].sources):
            self._drop((self.rows[self.row], self.cell))

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        theme.draw_panel(canvas, self.rect)
        for place in self.scroll.rows:
            self._draw_row(canvas, place, focused=focused and place == self.row)
        self.scroll.draw_bar(canvas, self.rect)

    def _go(self, row: int, cell: int) -> None:
        self.row = min(max(row, 0), max(0, len(self.rows) - 1))
        filled = len(self.rows[self.row].sources) if self.rows else 0
        self.cell = min(max(cell, 0), filled, self._cells - 1)
        self.scroll.show(self.row)

    def _row_rect(self, row: int) -> pygame.Rect:
        return pygame.Rect(self.rect.left, self.rect.top + (row - self.scroll.top) * ROW, self.rect.w - 14, ROW)

    def cell_rect(self, row: int, cell: int) -> pygame.Rect:
        """The area of a cell."""
        at = self._row_rect(row)
        left = at.left + at.w * (2 if self._cells <= CELLS else 1) // (5 if self._cells <= CELLS else 4)
        width = (at.right - left) // self._cells
        return pygame.Rect(left + cell * width, at.top, width, at.h).inflate(-8, -10)

    def _draw_row(self, canvas: pygame.Surface, place: int, *, focused: bool) -> None:
        row, at = self.rows[place], self._row_rect(place)
        width = self.cell_rect(place, 0).left - at.left - 32
        left, middle = at.left + 18, at.centery
        if row.detail:
            look = {"size": theme.SMALL, "colour": theme.MUTED, "anchor": "midleft", "width": width}
            theme.draw_text(canvas, row.detail, (left, middle + 11), **look)  # type: ignore[arg-type]
            middle -= 9
        theme.draw_text(canvas, row.words, (left, middle), size=theme.SMALL, bold=True, anchor="midleft", width=width)
        for cell in range(min(self._cells, len(row.caps) + 1)):
            rect = self.cell_rect(place, cell)
            self._draw_cap(canvas, rect, row.caps[cell] if cell < len(row.caps) else "")
            if focused and cell == self.cell:
                theme.draw_focus(canvas, rect.inflate(-6, -6))

    def _draw_cap(self, canvas: pygame.Surface, rect: pygame.Rect, words: str) -> None:
        theme.draw_panel(canvas, rect, fill=theme.RAISED if words else theme.PANEL, edge=theme.EDGE)
        ink = theme.INK if words else theme.MUTED
        picture = theme.text(words or "+", size=theme.SMALL, colour=ink)
        if picture.get_width() > rect.w - 12:
            picture = theme.paragraph(words, width=rect.w - 8, size=SMALLEST, colour=ink)
        canvas.blit(picture, picture.get_rect(center=rect.center), (0, 0, *rect.size))
