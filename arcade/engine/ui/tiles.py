"""TileGrid: a scrolled grid of tiles, each a picture over a title; only the visible ones are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.scroll import WholeRows
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.engine.ui.widget import Widget

GetPicture = Callable[[int, Size], pygame.Surface | None]
"""Returns the picture of a tile by its index, in pixels of that size; None: not made yet."""

EDGE = 10  # units around the text of a tile
TINT = 0.25  # share of a team's colour behind a title without a picture
RING = 10  # units around the grid, for the focus ring


@dataclass(frozen=True, slots=True)
class TileText:
    """The words of a tile."""

    title: str
    detail: str = ""
    mark: str = ""  # a short word on the picture, as for a favourite
    enabled: bool = True


class TileGrid(Widget):
    """Tiles in columns of `cell` units or more; steps move the selection, and leave the grid at its edges.

    `press` gets the index of the tile on accept or a click, `moved` that of another selection; `hint_of` returns the
    hint for a tile.
    """

    focusable = True

    def __init__(
        self, tiles: Sequence[TileText], *, picture: GetPicture, press: Callable[[int], None],
        moved: Callable[[int], None] | None = None, hint_of: Callable[[int], str] = lambda index: "", index: int = 0,
        cell: float = 230, empty: str = "", key: str = "tiles", grow: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(grow=grow)
        self.tiles, self.empty, self.key, self.cell = tuple(tiles), empty, key, cell
        self._picture, self._press, self._moved, self._hint_of = picture, press, moved, hint_of
        self.index = min(max(index, 0), max(0, len(self.tiles) - 1))
        self.top = 0  # the first visible row
        self._finger = WholeRows()
        self.columns, self.rows_shown = 1, 1
        self._tile, self._gap, self._inside = (1, 1), 1, self.rect

    @property
    def hint(self) -> str:  # type: ignore[override]
        return self._hint_of(self.index) if self.tiles else ""

    @property
    def spoken(self) -> str:
        if not self.tiles:
            return self.empty
        tile = self.tiles[self.index]
        return ", ".join(filter(None, (tile.title, tile.detail, tile.mark)))

    @property
    def visible(self) -> range:
        """The tiles that are shown, whole or cut."""
        first = self.top * self.columns
        return range(first, min(len(self.tiles), first + (self.rows_shown + 1) * self.columns))

    @property
    def attention(self) -> pygame.Rect:
        return self.tile_rect(self.index).clip(self.rect)

    @property
    def in_last_row(self) -> bool:
        """Whether no tile is below the selected one."""
        return not self._down()

    def natural(self, theme: Theme, width: int) -> Size:
        return width, 2 * self._heights(theme, width)

    def least(self, theme: Theme) -> int:
        return theme.px(self.cell)

    def least_height(self, theme: Theme, width: int) -> int:
        return self._heights(theme, width) + 2 * theme.px(RING)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        self._gap, ring = theme.px(themes.GAP), theme.px(RING)
        inside = rect.inflate(-2 * ring, -2 * ring)
        inside.w -= theme.px(8)  # the bar
        self._inside = inside
        self.columns = self._columns(theme, inside.w)
        wide = (inside.w - self._gap * (self.columns - 1)) // self.columns
        self._tile = wide, self._high(theme, wide)
        self.rows_shown = max(1, (inside.h + self._gap) // (self._tile[1] + self._gap))
        self._show(self.index)

    def tile_rect(self, index: int) -> pygame.Rect:
        """Return the area of a tile."""
        row, column = divmod(index, self.columns)
        (wide, high), gap = self._tile, self._gap
        left, top = self._inside.left + column * (wide + gap), self._inside.top + (row - self.top) * (high + gap)
        return pygame.Rect(left, top, wide, high)

    def select(self, index: int) -> bool:
        """Select the nearest tile and scroll it into view; return whether it is another one."""
        before, self.index = self.index, min(max(index, 0), max(0, len(self.tiles) - 1))
        self._show(self.index)
        if self.index != before and self._moved is not None:
            self._moved(self.index)
        return self.index != before

    def pressed(self) -> bool:
        if self.tiles:
            self._press(self.index)
        return True

    def jump(self, *, to_end: bool) -> bool:
        self.select(len(self.tiles) - 1 if to_end else 0)
        return True

    def menu(self, event: MenuInput) -> bool:
        page = self.columns * self.rows_shown
        column = self.index % self.columns
        step = {
            "up": -self.columns if self.index >= self.columns else 0, "left": -1 if column else 0,
            "right": 1 if column < self.columns - 1 else 0, "down": self._down(), "next": page, "previous": -page,
        }.get(event.action)  # fmt: skip
        if step is None:
            return super().menu(event)
        moved = self.select(self.index + step) if step else False
        return moved or event.action in ("next", "previous")

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            before, self.top = self.top, self.top - event.wheel
            self._clamp()
            return self.top != before
        if event.kind == "scroll":
            return self._scroll_by(-event.pixels)
        here = next((index for index in self.visible if self.tile_rect(index).collidepoint(event.pos)), None)
        if here is None or not self._inside.collidepoint(event.pos):
            return False
        if event.kind == "move" or event.is_click:
            self._choose(here)
        return super().pointer(event) or True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        before, ring = canvas.get_clip(), theme.px(RING)
        canvas.set_clip(self.rect.inflate(2 * ring, 0).clip(before))
        for index in self.visible:
            picture = partial(self._picture, index)
            draw_tile(canvas, theme, self.tile_rect(index), self.tiles[index], picture)
        if self.tiles:
            self._draw_selection(canvas, theme)
        else:
            words = theme.paragraph(self.empty, width=self.rect.w - 4 * ring, colour=theme.colours.muted)
            canvas.blit(words, words.get_rect(center=self.rect.center))
        canvas.set_clip(before)
        self._draw_bar(canvas, theme)

    def _draw_selection(self, canvas: pygame.Surface, theme: Theme) -> None:
        area = self.tile_rect(self.index)
        if self.focused:
            theme.draw_focus(canvas, area)
        else:
            pygame.draw.rect(canvas, theme.colours.faint, area, theme.px(2), theme.radius)

    def _draw_bar(self, canvas: pygame.Surface, theme: Theme) -> None:
        rows = -(-len(self.tiles) // self.columns)
        if rows > self.rows_shown:
            height = max(theme.px(24), self.rect.h * self.rows_shown // rows)
            top = self.rect.top + (self.rect.h - height) * self.top // (rows - self.rows_shown)
            bar = pygame.Rect(self.rect.right - theme.px(5), top, theme.px(5), height)
            pygame.draw.rect(canvas, theme.colours.edge, bar, border_radius=theme.px(2))

    def _choose(self, index: int) -> None:
        """Select a tile by the pointer, which scrolls nothing."""
        top = self.top
        self.select(index)
        self.top = top

    def _down(self) -> int:
        """Return the step to the row below, at most to the last tile; 0 in the last row."""
        last = len(self.tiles) - 1
        return min(self.columns, last - self.index) if self.index // self.columns < last // self.columns else 0

    def _show(self, index: int) -> None:
        row = index // self.columns
        self.top = min(max(self.top, row - self.rows_shown + 1), row)
        self._clamp()

    def _scroll_by(self, pixels: int) -> bool:
        """Follow a finger by whole rows; return whether there is more than fits."""
        self.top += self._finger.moved(pixels, self._tile[1] + self._gap)
        self._clamp()
        return len(self.tiles) > self.columns * self.rows_shown

    def _clamp(self) -> None:
        rows = -(-len(self.tiles) // self.columns)
        self.top = min(max(self.top, 0), max(0, rows - self.rows_shown))

    def _columns(self, theme: Theme, width: int) -> int:
        gap = theme.px(themes.GAP)
        return max(1, (width + gap) // (theme.px(self.cell) + gap))

    def _heights(self, theme: Theme, width: int) -> int:
        inside, gap = width - 2 * theme.px(RING), theme.px(themes.GAP)
        columns = self._columns(theme, inside)
        return self._high(theme, (inside - gap * (columns - 1)) // columns) + gap

    @staticmethod
    def _high(theme: Theme, wide: int) -> int:
        text = theme.line_height(themes.BODY) + theme.line_height(themes.SMALL)
        return _picture_high(theme, wide) + text + theme.px(EDGE)


class Tile(Widget):
    """One tile alone; `width` units wide."""

    focusable = True

    def __init__(
        self, text: TileText, press: Callable[[], object], *, picture: Callable[[Size], pygame.Surface | None],
        width: float = 230, hint: str = "", key: str = "", grow: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(grow=grow, enabled=text.enabled)
        self.text, self.label, self.hint, self.key = text, text.title, hint, key
        self._press, self._picture, self.width = press, picture, width

    @property
    def spoken(self) -> str:
        return ", ".join(filter(None, (self.text.title, self.text.detail, self.text.mark)))

    def natural(self, theme: Theme, width: int) -> Size:
        wide = width if self.grow else min(width, theme.px(self.width))
        return wide, TileGrid._high(theme, wide)

    def least(self, theme: Theme) -> int:
        return theme.px(min(self.width, 180))

    def pressed(self) -> bool:
        self._press()
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        draw_tile(canvas, theme, self.rect, self.text, self._picture)
        if self.focused:
            theme.draw_focus(canvas, self.rect)


def draw_tile(
    canvas: pygame.Surface, theme: Theme, area: pygame.Rect, text: TileText,
    picture: Callable[[Size], pygame.Surface | None],
) -> None:  # fmt: skip
    """Draw a tile: its picture, or its title in large letters until there is one; then the words."""
    colours, above = theme.colours, area.copy()
    above.h = _picture_high(theme, area.w)
    wide = min(above.w, above.h * 16 // 9)
    theme.draw_panel(canvas, area, fill=colours.panel)
    found = picture((wide, above.h))
    if found is not None:
        canvas.blit(found, found.get_rect(center=above.center))
    else:
        pygame.draw.rect(canvas, _tint(theme, text.title), above, border_top_left_radius=theme.radius,
                         border_top_right_radius=theme.radius)  # fmt: skip
        words = theme.paragraph(text.title, width=above.w - 2 * theme.px(16), size=themes.LARGE)
        canvas.blit(words, words.get_rect(center=above.center).clip(above))
    left, width = area.left + theme.px(EDGE), area.w - 2 * theme.px(EDGE)
    ink = colours.ink if text.enabled else colours.faint
    at = left, above.bottom + theme.px(3)
    size = _fitting(theme, text.title, width, (themes.BODY, themes.SMALL, themes.SMALLEST), bold=True)
    theme.draw_text(canvas, text.title, at, size=size, bold=True, colour=ink, width=width)
    at, muted = (left, area.bottom - theme.px(5)), colours.muted
    size = _fitting(theme, text.detail, width, (themes.SMALL, themes.SMALLEST))
    theme.draw_text(canvas, text.detail, at, size=size, colour=muted, anchor="bottomleft", width=width)
    if text.mark:
        _draw_mark(canvas, theme, above, text.mark)


def _tint(theme: Theme, title: str) -> Colour:
    """Return the colour behind a title that stands for a picture, the same each time."""
    colours = theme.colours
    tint = colours.teams[sum(map(ord, title)) % len(colours.teams)]
    red, green, blue = (round(low + (high - low) * TINT) for low, high in zip(colours.panel, tint, strict=True))
    return red, green, blue


def _fitting(theme: Theme, line: str, width: int, sizes: Sequence[int], *, bold: bool = False) -> int:
    """Return the first size in which the line fits, else the last one."""
    return next((size for size in sizes if theme.font(size, bold=bold).size(line)[0] <= width), sizes[-1])


def _picture_high(theme: Theme, wide: int) -> int:
    """Return the height of the picture of a tile, which leaves room for its words in a low window."""
    return min(wide * 9 // 16, round(theme.window[1] * 0.3))


def _draw_mark(canvas: pygame.Surface, theme: Theme, above: pygame.Rect, mark: str) -> None:
    words = theme.text(mark, size=themes.SMALLEST, colour=theme.colours.ground, bold=True)
    plate = words.get_rect().inflate(theme.px(14), theme.px(6))
    plate.topright = above.right - theme.px(8), above.top + theme.px(8)
    pygame.draw.rect(canvas, theme.colours.focus, plate, border_radius=theme.px(6))
    canvas.blit(words, words.get_rect(center=plate.center))
