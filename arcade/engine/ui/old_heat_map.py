"""HeatMap: a matrix of coloured cells with row and column names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Scroll
from arcade.engine.ui.widgets import Area, PaintedWidget

HEAD, NAMES, PAD = 34, 270, 12  # height of the column numbers, width of the names, margin
WIDTH, HEIGHT = (58, 110), (26, 46)  # of a cell, least and most
STRONGEST = 0.8  # share of the full colour in the strongest shade


@dataclass(frozen=True, slots=True)
class Heat:
    """One cell: its text, and its shade from -1 (orange) over 0 (the panel) to 1 (blue)."""

    text: str
    shade: float


class HeatMap(PaintedWidget):
    """Cells with the focus on one of them; a step beyond an edge leaves the map.

    `press` gets row and column on accept or a click.
    """

    def __init__(
        self, rect: Area, *, empty: str = "", hint: str = "", press: Callable[[int, int], None] | None = None
    ) -> None:
        super().__init__(rect)
        self.label, self.empty, self.hint, self._press = "map", empty, hint, press
        self.names: tuple[str, ...] = ()
        self._cell: Callable[[int, int], Heat | None] = lambda row, column: None
        self.row, self.column = 0, 1  # the first pair
        self._down, self._across = Scroll(), Scroll()

    def set_cells(self, names: Sequence[str], cell: Callable[[int, int], Heat | None]) -> None:
        """Show other cells and keep the focus; `cell` makes a visible cell by row and column, None for an empty one."""
        self.names, self._cell = tuple(names), cell
        width, height = self._size
        self._down.fit(len(self.names), room=(self.rect.h - HEAD - PAD) // height)
        self._across.fit(len(self.names), room=(self.rect.w - NAMES - PAD) // width)
        self._go(self.row, self.column)

    @property
    def attention(self) -> pygame.Rect:
        return self._cell_rect(self.row, self.column).move(self.rect.topleft) if self.names else self.rect

    def menu(self, event: MenuInput) -> bool:
        if self.names and self._press is not None and event.is_accept:
            self._press(self.row, self.column)
            return True
        down = {"up": -1, "down": 1}.get(event.action, 0)
        right = {"left": -1, "right": 1}.get(event.action, 0)
        return bool(self.names) and self._go(self.row + down, self.column + right)

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            return self._go(self.row - event.wheel, self.column)
        width, height = self._size
        column = self._across.row_at(event.pos[0] - self.rect.left - NAMES, width)
        row = self._down.row_at(event.pos[1] - self.rect.top - HEAD, height)
        if row is None or column is None:
            return False
        self._go(row, column)
        if event.is_click and self._press is not None:
            self._press(row, column)
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        super().draw(canvas)
        if focused:
            theme.draw_focus(canvas, self.attention.inflate(-6, -6) if self.names else self.rect)
        elif self.names:
            pygame.draw.rect(canvas, theme.INK, self.attention, 2, border_radius=4)

    @property
    def _size(self) -> tuple[int, int]:
        """The size of a cell, in pixels: as large as fits."""
        count = max(1, len(self.names))
        room = (self.rect.w - NAMES - PAD) // count, (self.rect.h - HEAD - PAD) // count
        width, height = (min(max(size, least), most) for size, (least, most) in zip(room, (WIDTH, HEIGHT), strict=True))
        return width, height

    def _go(self, row: int, column: int) -> bool:
        """Focus the nearest cell and scroll it into view; return whether it is another one."""
        last = max(0, len(self.names) - 1)
        row, column = min(max(row, 0), last), min(max(column, 0), last)
        moved = (row, column) != (self.row, self.column)
        self.row, self.column = row, column
        self._down.show(row)
        self._across.show(column)
        return moved

    @property
    def shown(self) -> object:
        return self.names, self._cell, self._down.top, self._across.top

    def _cell_rect(self, row: int, column: int) -> pygame.Rect:
        width, height = self._size
        left, top = NAMES + (column - self._across.top) * width, HEAD + (row - self._down.top) * height
        return pygame.Rect(left + 1, top + 1, width - 2, height - 2)

    def paint(self) -> pygame.Surface:
        picture = theme.plate(self.rect.size)
        if not self.names:
            empty = theme.paragraph(self.empty, width=self.rect.w - 120, colour=theme.MUTED)
            picture.blit(empty, empty.get_rect(center=picture.get_rect().center))
            return picture
        rows, columns = self._down.rows, self._across.rows
        head, small = HEAD // 2 + 2, theme.SMALL
        if len(rows) < len(self.names):
            text = f"{rows.start + 1} to {rows.stop} of {len(self.names)}"
            theme.draw_text(picture, text, (PAD + 38, head), size=small, colour=theme.FAINT, anchor="midleft")
        for column in columns:
            at = (self._cell_rect(rows.start, column).centerx, head)
            theme.draw_text(picture, f"{column + 1}", at, size=small, colour=theme.MUTED, anchor="center")
        for row in rows:
            y = self._cell_rect(row, columns.start).centery
            theme.draw_text(picture, f"{row + 1}", (PAD + 26, y), size=small, colour=theme.MUTED, anchor="midright")
            width = NAMES - PAD - 50
            theme.draw_text(picture, self.names[row], (PAD + 38, y), size=small, anchor="midleft", width=width)
            for column in columns:
                _draw_cell(picture, self._cell(row, column), self._cell_rect(row, column))
        return picture


def _draw_cell(picture: pygame.Surface, cell: Heat | None, area: pygame.Rect) -> None:
    if cell is None:
        pygame.draw.circle(picture, theme.EDGE, area.center, 2)
        return
    fill, width = shade_colour(cell.shade), area.w - 4
    pygame.draw.rect(picture, fill, area, border_radius=4)
    # Ink or ground, by the larger contrast ratio (WCAG 2).
    ink = max((theme.INK, theme.GROUND), key=lambda ink: abs(_brightness(ink) - _brightness(fill)))
    theme.draw_text(picture, cell.text, area.center, size=theme.SMALL, anchor="center", width=width, colour=ink)


def shade_colour(shade: float) -> theme.Colour:
    """Blend orange below 0, the raised plate at 0, blue above."""
    strength = min(1.0, abs(shade)) * STRONGEST
    full = theme.BLUE if shade > 0 else theme.ORANGE
    red, green, blue = (round(r + (f - r) * strength) for r, f in zip(theme.RAISED, full, strict=True))
    return red, green, blue


def _brightness(colour: theme.Colour) -> float:
    """Return a logarithm of the relative luminance; differences of it are contrast ratios."""
    shares = (part / 255 for part in colour)
    linear = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return log(sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) + 0.05)
