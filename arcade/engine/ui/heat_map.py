"""HeatMap: a square of coloured cells, a row and a column for each name; drawn when it changes and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.widgets import Widget

HEAD, NAMES, PAD = 34, 270, 12  # room for the columns' numbers, for the rows' names, and to the panel's edge
WIDTH, HEIGHT = (58, 110), (26, 46)  # of a cell, least and most
STRONGEST = 0.8  # how much of the full colour the strongest shade has; the rest is the panel's


@dataclass(frozen=True, slots=True)
class Heat:
    """One cell: its words, and its shade from -1 (orange) over 0 (the panel) to 1 (blue)."""

    words: str
    shade: float


class HeatMap(Widget):
    """A cell has the focus; a step beyond an edge leaves the map.  Columns bear the numbers of the rows' names.

    `press` gets row and column on accept or a click.
    """

    def __init__(
        self,
        rect: pygame.Rect | tuple[int, int, int, int],
        *,
        empty: str = "",
        hint: str = "",
        press: Callable[[int, int], None] | None = None,
    ) -> None:
        super().__init__(rect)
        self.words, self.empty, self.hint, self._press = "map", empty, hint, press
        self.names: tuple[str, ...] = ()
        self._cell: Callable[[int, int], Heat | None] = lambda row, column: None
        self.row, self.column = 0, 1  # the first pair
        self._down, self._across = Scroll(), Scroll()
        self._picture: pygame.Surface | None = None
        self._version = theme.version

    def set_cells(self, names: Sequence[str], cell: Callable[[int, int], Heat | None]) -> None:
        """Show others: `cell` makes that of a row and a column once it is seen, None where there is nothing.

        The place is kept as far as it can be.
        """
        self.names, self._cell = tuple(names), cell
        width, height = self._size
        self._down.fit(len(self.names), room=(self.rect.h - HEAD - PAD) // height)
        self._across.fit(len(self.names), room=(self.rect.w - NAMES - PAD) // width)
        self._go(self.row, self.column)
        self._picture = None

    @property
    def attention(self) -> pygame.Rect:
        return self._cell_rect(self.row, self.column).move(self.rect.topleft) if self.names else self.rect

    def menu(self, event: MenuInput) -> bool:
        if not self.names:
            return False
        if event.action == "accept" and not event.repeated and self._press is not None:
            self._press(self.row, self.column)
            return True
        down = {"up": -1, "down": 1}.get(event.action, 0)
        right = {"left": -1, "right": 1}.get(event.action, 0)
        return self._go(self.row + down, self.column + right)

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            return self._go(self.row - event.wheel, self.column)
        width, height = self._size
        column = self._across.row_at(event.pos[0] - self.rect.left - NAMES, width)
        row = self._down.row_at(event.pos[1] - self.rect.top - HEAD, height)
        if row is None or column is None:
            return False
        self._go(row, column)
        if event.kind == "press" and event.button == 1 and self._press is not None:
            self._press(row, column)
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        if self._picture is None or self._version != theme.version:
            self._picture, self._version = self._make(), theme.version
        canvas.blit(self._picture, self.rect)
        if focused:
            theme.draw_focus(canvas, self.attention.inflate(-6, -6) if self.names else self.rect)
        elif self.names:
            pygame.draw.rect(canvas, theme.INK, self.attention, 2, border_radius=4)

    @property
    def _size(self) -> tuple[int, int]:
        """Of a cell, in pixels: as large as there is room for all of them."""
        count = max(1, len(self.names))
        room = (self.rect.w - NAMES - PAD) // count, (self.rect.h - HEAD - PAD) // count
        width, height = (min(max(size, least), most) for size, (least, most) in zip(room, (WIDTH, HEIGHT), strict=True))
        return width, height

    def _go(self, row: int, column: int) -> bool:
        """To that cell, as far as there is one, and it into sight; False where one is there already."""
        last = max(0, len(self.names) - 1)
        row, column = min(max(row, 0), last), min(max(column, 0), last)
        moved = (row, column) != (self.row, self.column)
        self.row, self.column = row, column
        before = self._down.top, self._across.top
        self._down.show(row)
        self._across.show(column)
        if before != (self._down.top, self._across.top):
            self._picture = None
        return moved

    def _cell_rect(self, row: int, column: int) -> pygame.Rect:
        """Where it lies on the picture."""
        width, height = self._size
        left, top = NAMES + (column - self._across.top) * width, HEAD + (row - self._down.top) * height
        return pygame.Rect(left + 1, top + 1, width - 2, height - 2)

    def _make(self) -> pygame.Surface:
        picture = theme.plate(self.rect.size)
        if not self.names:
            empty = theme.paragraph(self.empty, width=self.rect.w - 120, colour=theme.MUTED)
            picture.blit(empty, empty.get_rect(center=picture.get_rect().center))
            return picture
        rows, columns = self._down.rows, self._across.rows
        if len(rows) < len(self.names):
            words = f"{rows.start + 1} to {rows.stop} of {len(self.names)}"
            theme.draw_text(
                picture, words, (PAD + 38, HEAD // 2 + 2), size=theme.SMALL, colour=theme.FAINT, anchor="midleft"
            )
        small = {"size": theme.SMALL, "colour": theme.MUTED}
        for column in columns:
            at = (self._cell_rect(rows.start, column).centerx, HEAD // 2 + 2)
            theme.draw_text(picture, f"{column + 1}", at, anchor="center", **small)  # type: ignore[arg-type]
        for row in rows:
            middle = self._cell_rect(row, columns.start).centery
            theme.draw_text(picture, f"{row + 1}", (PAD + 26, middle), anchor="midright", **small)  # type: ignore[arg-type]
            at = (PAD + 38, middle)
            theme.draw_text(picture, self.names[row], at, size=theme.SMALL, anchor="midleft", width=NAMES - PAD - 50)
            for column in columns:
                _draw_cell(picture, self._cell(row, column), self._cell_rect(row, column))
        return picture


def _draw_cell(picture: pygame.Surface, cell: Heat | None, area: pygame.Rect) -> None:
    if cell is None:
        pygame.draw.circle(picture, theme.EDGE, area.center, 2)
        return
    fill = shade_colour(cell.shade)
    pygame.draw.rect(picture, fill, area, border_radius=4)
    theme.draw_text(
        picture, cell.words, area.center, size=theme.SMALL, anchor="center", width=area.w - 4, colour=_readable(fill)
    )


def shade_colour(shade: float) -> theme.Colour:
    """Of the palette in use: orange below 0, the raised plate at 0, blue above it."""
    strength = min(1.0, abs(shade)) * STRONGEST
    full = theme.BLUE if shade > 0 else theme.ORANGE
    red, green, blue = (round(r + (f - r) * strength) for r, f in zip(theme.RAISED, full, strict=True))
    return red, green, blue


def _readable(fill: theme.Colour) -> theme.Colour:
    """Of ink and ground what is further from `fill` in lightness (WCAG 2, contrast ratio)."""
    light = _luminance(fill)
    return max((theme.INK, theme.GROUND), key=lambda ink: _contrast(_luminance(ink), light))


def _contrast(one: float, two: float) -> float:
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)


def _luminance(colour: theme.Colour) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
