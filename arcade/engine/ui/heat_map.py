"""HeatMap: a matrix of coloured cells with row and column names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.scroll import WholeRows
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.language import _

HEAD, NAMES, PAD = 34, 270, 12  # units: height of the column numbers, most width of the names, margin
CELL = (58, 26), (110, 46)  # units: least and most width and height of a cell
STRONGEST = 0.8  # share of the full colour in the strongest shade
READABLE = 4.6  # least contrast ratio of a figure with its cell (WCAG 2.2 asks for 4.5)


@dataclass(frozen=True, slots=True)
class Heat:
    """One cell: its text, and its shade from -1 (orange) over 0 (the panel) to 1 (blue)."""

    text: str
    shade: float


class HeatMap(Widget):
    """Cells with the focus on one of them; a step beyond an edge leaves the map, and it scrolls to its cell.

    `press` gets row and column on accept or a click; `words` are those of a cell, for the narrator.
    """

    focusable = True

    def __init__(
        self, names: Sequence[str], cell: Callable[[int, int], Heat | None], *, empty: str = "", hint: str = "",
        press: Callable[[int, int], None] | None = None, words: Callable[[int, int], str] | None = None,
        key: str = "", grow: float = 1.0,
    ) -> None:  # fmt: skip
        """`cell` makes a visible cell by row and column, None for an empty one."""
        super().__init__(grow=grow)
        self.empty, self.hint, self.key, self._press, self._words = empty, hint, key, press, words
        self.names: tuple[str, ...] = ()
        self.row, self.column = 0, 1  # the first pair
        self._top, self._left = 0, 0  # the first visible row and column
        self._finger = WholeRows()
        self._size, self._head, self._room = (1, 1), (0, 0), (1, 1)  # pixels of a cell and of the names; visible cells
        self.set_cells(names, cell)

    def set_cells(self, names: Sequence[str], cell: Callable[[int, int], Heat | None]) -> None:
        """Show other cells and keep the focus."""
        self.names, self._cell = tuple(names), cell
        self._go(self.row, self.column)

    @property
    def spoken(self) -> str:
        return self._words(self.row, self.column) if self._words is not None and self.names else self.empty

    def natural(self, theme: Theme, width: int) -> Size:
        count = max(4, len(self.names))
        high = theme.px(HEAD + PAD) + count * max(theme.px(CELL[1][1]), theme.line_height(themes.SMALL))
        return width, min(high, theme.px(900))

    def least(self, theme: Theme) -> int:
        return theme.px(320)

    def least_height(self, theme: Theme, width: int) -> int:
        return theme.px(HEAD + PAD + 4 * CELL[0][1])

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        names, pad, count = min(theme.px(NAMES), rect.w // 2), theme.px(PAD), max(1, len(self.names))
        self._head = names, theme.px(HEAD)
        free = max(1, rect.w - names - pad), max(1, rect.h - self._head[1] - pad)
        least, most = ((theme.px(width), theme.px(height)) for width, height in CELL)
        width, height = (min(max(room // count, low), high) for room, low, high in zip(free, least, most, strict=True))
        self._size, self._room = (width, height), (max(1, free[0] // width), max(1, free[1] // height))
        self._go(self.row, self.column)

    @property
    def attention(self) -> pygame.Rect:
        return self.cell_rect(self.row, self.column).clip(self.rect) if self.names else self.rect

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
        if event.kind == "scroll":
            return self._scroll_by(-event.pixels)
        place = self._place(event.pos)
        if place is None:
            return False
        self._go(*place)
        if event.is_click and self._press is not None:
            self._press(*place)
        return True

    def cell_rect(self, row: int, column: int) -> pygame.Rect:
        """Return the area of a cell."""
        (width, height), (names, head) = self._size, self._head
        left, top = names + (column - self._left) * width, head + (row - self._top) * height
        return pygame.Rect(self.rect.left + left + 1, self.rect.top + top + 1, width - 2, height - 2)

    @property
    def rows(self) -> range:
        """The visible rows."""
        return range(self._top, min(len(self.names), self._top + self._room[1]))

    @property
    def columns(self) -> range:
        """The visible columns."""
        return range(self._left, min(len(self.names), self._left + self._room[0]))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        theme.draw_panel(canvas, self.rect)
        if not self.names:
            width = max(1, self.rect.w - theme.px(48))
            empty = theme.paragraph(self.empty, width=width, colour=theme.colours.muted)
            canvas.blit(empty, empty.get_rect(center=self.rect.center))
        else:
            self._draw_names(canvas, theme)
            for row in self.rows:
                for column in self.columns:
                    _draw_cell(canvas, theme, self._cell(row, column), self.cell_rect(row, column))
        if self.focused:
            theme.draw_focus(canvas, self.attention.inflate(-theme.px(6), -theme.px(6)) if self.names else self.rect)
        elif self.names:
            pygame.draw.rect(canvas, theme.colours.ink, self.attention, theme.px(2), border_radius=theme.px(4))

    def _draw_names(self, canvas: pygame.Surface, theme: Theme) -> None:
        """Draw the numbered names of the rows, and the numbers of the columns."""
        px, colours, left = theme.px, theme.colours, self.rect.left
        head, width = self.rect.top + px(HEAD // 2 + 2), self._head[0] - px(PAD + 50)
        if len(self.rows) < len(self.names):
            text = _("{first} to {last} of {count}").format(
                first=self.rows.start + 1, last=self.rows.stop, count=len(self.names)
            )
            at, look = (left + px(PAD + 38), head), {"size": themes.SMALLEST, "colour": colours.faint}
            room = {"width": width, "height": self._head[1]}
            theme.draw_text(canvas, text, at, anchor="midleft", **room, **look)  # type: ignore[arg-type]
        for column in self.columns:
            at = self.cell_rect(self._top, column).centerx, head
            theme.draw_text(canvas, f"{column + 1}", at, size=themes.SMALL, colour=colours.muted, anchor="center")
        for row in self.rows:
            y = self.cell_rect(row, self._left).centery
            at = left + px(PAD + 26), y
            theme.draw_text(canvas, f"{row + 1}", at, size=themes.SMALL, colour=colours.muted, anchor="midright")
            at = left + px(PAD + 38), y
            high = self._size[1] - px(2)
            theme.draw_text(canvas, self.names[row], at, size=themes.SMALL, anchor="midleft", width=width, height=high)

    def _go(self, row: int, column: int) -> bool:
        """Focus the nearest cell and scroll it into view; return whether it is another one."""
        last, before = max(0, len(self.names) - 1), (self.row, self.column)
        self.row, self.column = min(max(row, 0), last), min(max(column, 0), last)
        self._top = _scrolled(self._top, self.row, self._room[1], len(self.names))
        self._left = _scrolled(self._left, self.column, self._room[0], len(self.names))
        return (self.row, self.column) != before

    def _scroll_by(self, pixels: int) -> bool:
        """Follow a finger by whole rows, the focus with them; return whether there is more than fits."""
        rows = self._finger.moved(pixels, self._size[1])
        top = min(max(self._top + rows, 0), max(0, len(self.names) - self._room[1]))
        row, self._top = self.row + top - self._top, top
        self._go(row, self.column)
        return len(self.names) > self._room[1]

    def _place(self, pos: tuple[int, int]) -> tuple[int, int] | None:
        """Return row and column under a place of the canvas."""
        (width, height), (names, head) = self._size, self._head
        right, down = pos[0] - self.rect.left - names, pos[1] - self.rect.top - head
        row, column = self._top + down // height, self._left + right // width
        return (row, column) if right >= 0 and down >= 0 and row in self.rows and column in self.columns else None


def _scrolled(first: int, wanted: int, room: int, count: int) -> int:
    """Return the first visible place, so that `wanted` is visible."""
    return min(max(first, wanted - room + 1, 0), wanted, max(0, count - room))


def _draw_cell(canvas: pygame.Surface, theme: Theme, cell: Heat | None, area: pygame.Rect) -> None:
    if cell is None:
        pygame.draw.circle(canvas, theme.colours.edge, area.center, theme.px(2))
        return
    fill, width = shade_colour(theme, cell.shade), area.w - theme.px(4)
    pygame.draw.rect(canvas, fill, area, border_radius=theme.px(4))
    ink = ink_on(theme, fill)
    theme.draw_text(canvas, cell.text, area.center, size=themes.SMALL, anchor="center", width=width, colour=ink)


def ink_on(theme: Theme, fill: Colour) -> Colour:
    """Return ink or ground, whichever is easier to read on `fill`; white or black where neither is readable."""

    def contrast(ink: Colour) -> float:
        return abs(_brightness(ink) - _brightness(fill))

    best = max((theme.colours.ink, theme.colours.ground), key=contrast)
    return best if contrast(best) >= log(READABLE) else max(((255, 255, 255), (0, 0, 0)), key=contrast)


def shade_colour(theme: Theme, shade: float) -> Colour:
    """Blend orange below 0, the raised plate at 0, blue above."""
    strength = min(1.0, abs(shade)) * STRONGEST
    full = theme.colours.teams[0 if shade > 0 else 1]
    red, green, blue = (round(r + (f - r) * strength) for r, f in zip(theme.colours.raised, full, strict=True))
    return red, green, blue


def _brightness(colour: Colour) -> float:
    """Return a logarithm of the relative luminance; differences of it are contrast ratios."""
    shares = (part / 255 for part in colour)
    linear = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return log(sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) + 0.05)
