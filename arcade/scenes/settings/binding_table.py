"""BindingTable: a row for each control, with a cell for each of its keys and buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.lists import RowView
from arcade.engine.ui.theme import Theme
from arcade.language import _
from arcade.scenes.settings.binding_pages import BindingRow

CELLS = 3
"""Least number of cells in a row; an empty cell adds a key where there is room."""
MOST_CELLS = 6
WIDE = 640
"""Units of the page from which the name of a control has room beside its cells."""

Cell = tuple[BindingRow, int]
"""A row, and the place among its keys and buttons, or the one after the last."""


class BindingTable(RowView):
    """Calls `pick` with the chosen cell, and `drop` to remove its key or button."""

    row_units = 52.0

    def __init__(self, *, pick: Callable[[Cell], None], drop: Callable[[Cell], None], hint: str = "") -> None:
        super().__init__(press=lambda row: pick(self.chosen), hint=hint, rows=10, width=780, grow=2, key="table")
        self._drop = drop
        self.rows: list[BindingRow] = []
        self.cell, self._cells = 0, CELLS
        self._theme = Theme()  # of the last layout

    def show_rows(self, rows: Sequence[BindingRow]) -> None:
        """Show other rows; the chosen cell stays where possible."""
        self.rows = list(rows)
        self._cells = min(MOST_CELLS, max(CELLS, *(len(row.sources) for row in rows))) if rows else CELLS
        self.fit(len(self.rows))
        self.select(self.index)

    @property
    def spoken(self) -> str:
        if not self.rows:
            return ""
        row = self.rows[self.index]
        cap = row.caps[self.cell] if self.cell < len(row.caps) else _("free")
        return ", ".join(filter(None, (row.label, row.detail, cap)))

    @property
    def chosen(self) -> Cell:
        """The focused cell."""
        return self.rows[self.index], self.cell

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        self._theme = theme
        super().arrange(theme, rect)

    def select(self, index: int) -> bool:
        moved = super().select(index)
        self._choose(self.cell)
        return moved

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1}.get(event.action, 0)
        return self._choose(self.cell + by) if by else super().menu(event)

    def pointer(self, event: PointerInput) -> bool:
        row = next((row for row in self.visible if self.row_rect(row).collidepoint(event.pos)), None)
        if row is not None and event.kind in ("move", "press"):
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

    def cell_rect(self, row: int, cell: int) -> pygame.Rect:
        """Return the area of a cell."""
        theme, at = self._theme, self.row_rect(row)
        at.w -= theme.px(14)
        if _is_tall(theme):
            at = pygame.Rect(at.left, at.centery, at.w, at.h // 2)
            left = at.left + theme.px(12)
        else:
            left = at.left + (at.w * 2 // 5 if self._cells <= CELLS else at.w // 4)
        width = (at.right - left) // self._cells
        return pygame.Rect(left + cell * width, at.top, width, at.h).inflate(-theme.px(8), -theme.px(10))

    def draw_row(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: int) -> None:
        shown, first = self.rows[row], self.cell_rect(row, 0)
        left, middle, line = area.left + theme.px(18), area.centery, theme.line_height(themes.SMALL)
        width = first.left - left - theme.px(14)
        if _is_tall(theme):
            middle, width = area.top + area.h // 4, area.right - left
            title = " · ".join(filter(None, (shown.label, shown.detail)))
        else:
            title = shown.label
            if shown.detail:
                at = left, middle + line // 2
                theme.draw_text(
                    canvas, shown.detail, at, size=themes.SMALL, colour=theme.colours.muted, anchor="midleft",
                    width=width,
                )  # fmt: skip
                middle -= line // 2
        theme.draw_text(canvas, title, (left, middle), size=themes.SMALL, bold=True, anchor="midleft", width=width)
        for cell in range(min(self._cells, len(shown.caps) + 1)):
            self._draw_cell(canvas, theme, row, cell)

    def _row_height(self, theme: Theme) -> int:
        line = theme.line_height(themes.SMALL)
        return max(theme.px(self.row_units), 2 * line + theme.px(6)) + (line + theme.px(8) if _is_tall(theme) else 0)

    def _draw_cell(self, canvas: pygame.Surface, theme: Theme, row: int, cell: int) -> None:
        rect, caps, colours = self.cell_rect(row, cell), self.rows[row].caps, theme.colours
        text = caps[cell] if cell < len(caps) else ""
        theme.draw_panel(canvas, rect, fill=colours.raised if text else colours.panel, edge=colours.edge)
        ink = colours.ink if text else colours.muted
        picture = theme.text(text or "+", size=themes.SMALL, colour=ink)
        if picture.get_width() > rect.w - theme.px(12):
            picture = theme.paragraph(text, width=rect.w - theme.px(8), size=themes.SMALLEST, colour=ink)
        canvas.blit(picture, picture.get_rect(center=rect.center), (0, 0, *rect.size))
        if self.focused and row == self.index and cell == self.cell:
            theme.draw_focus(canvas, rect.inflate(-theme.px(6), -theme.px(6)))

    def _choose(self, cell: int) -> bool:
        """Choose the nearest cell of the row; return whether it is another one."""
        filled = len(self.rows[self.index].sources) if self.rows else 0
        before, self.cell = self.cell, min(max(cell, 0), filled, self._cells - 1)
        return self.cell != before


def _is_tall(theme: Theme) -> bool:
    """Whether the cells stand below the name of their control."""
    return theme.page[0] < WIDE
