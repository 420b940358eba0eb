"""ListView: a scrolled list of rows, one of them selected; only the visible rows are drawn, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.scroll import WholeRows
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget

PAD = 24  # units before the text of a row


class RowView(Widget):
    """Rows of equal height, scrolled by keys, pad and wheel; up and down leave the list at its ends.

    `press` gets the index of the row on accept or a click, `moved` that of another selection.  A subclass draws the
    rows.  `rows` is the number wanted on the screen, `least` the fewest.
    """

    focusable = True
    row_units, head_units = 46.0, 0.0
    wheel = 3  # rows a step of the wheel

    def __init__(
        self, *, press: Callable[[int], None] | None = None, moved: Callable[[int], None] | None = None,
        hint: str = "", grow: float = 1.0, rows: int = 6, width: float = 460, key: str = "",
    ) -> None:  # fmt: skip
        super().__init__(grow=grow)
        self.hint, self.key, self._press, self._moved = hint, key, press, moved
        self.wanted, self.width = rows, width
        self.index = self.top = self.count = 0
        self.room, self._row, self._head = 1, 1, 0  # visible rows; heights in pixels
        self._finger = WholeRows()

    def natural(self, theme: Theme, width: int) -> Size:
        rows = min(self.wanted, max(self.count, 1))
        return min(width, theme.px(self.width)), theme.px(self.head_units) + rows * self._row_height(theme)

    def least(self, theme: Theme) -> int:
        return theme.px(min(self.width, 280))

    def least_height(self, theme: Theme, width: int) -> int:
        rows = min(self.wanted, max(self.count, 1), 3)
        return theme.px(self.head_units) + rows * self._row_height(theme)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        before = self.room
        super().arrange(theme, rect)
        self._row, self._head = self._row_height(theme), theme.px(self.head_units)
        self.room = max(1, (rect.h - self._head) // self._row)
        if self.room != before:
            self.show(self.index)
        self._clamp()

    def fit(self, count: int) -> None:
        """Set the number of rows; the selection stays where possible."""
        self.count = count
        self.index = min(self.index, max(0, count - 1))
        self._clamp()

    @property
    def visible(self) -> range:
        """The visible rows."""
        return range(self.top, min(self.count, self.top + self.room))

    def row_rect(self, row: int) -> pygame.Rect:
        """Return the area of a row."""
        top = self.rect.top + self._head + (row - self.top) * self._row
        return pygame.Rect(self.rect.left, top, self.rect.w, self._row)

    def row_at(self, pos: tuple[int, int]) -> int | None:
        """Return the visible row under a place of the canvas."""
        row = self.top + (pos[1] - self.rect.top - self._head) // self._row
        return row if row in self.visible and pos[1] >= self.rect.top + self._head else None

    @property
    def attention(self) -> pygame.Rect:
        return self.row_rect(self.index).clip(self.rect)

    def select(self, index: int) -> bool:
        """Select the nearest row and scroll it into view; return whether it is another one."""
        before, self.index = self.index, min(max(index, 0), max(0, self.count - 1))
        self.show(self.index)
        if self.index != before and self._moved is not None:
            self._moved(self.index)
        return self.index != before

    def show(self, row: int) -> None:
        """Scroll a row into view."""
        self.top = min(max(self.top, row - self.room + 1), row)

    def pressed(self) -> bool:
        if self._press is not None and self.count:
            self._press(self.index)
        return True

    def menu(self, event: MenuInput) -> bool:
        step = {"up": -1, "down": 1, "next": self.room, "previous": -self.room}.get(event.action)
        if step is None:
            return super().menu(event)
        return self.select(self.index + step) or event.action in ("next", "previous")

    def jump(self, *, to_end: bool) -> bool:
        self.select(self.count - 1 if to_end else 0)
        return True

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            before, self.top = self.top, self.top - self.wheel * event.wheel
            self._clamp()
            return self.top != before
        if event.kind == "scroll":
            return self._scroll_by(-event.pixels)
        row = self.row_at(event.pos)
        if row is None:
            return False
        if event.kind == "move" or event.is_click:
            self.select(row)
        return super().pointer(event) or True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        theme.draw_panel(canvas, self.rect)
        self.draw_head(canvas, theme)
        for row in self.visible:
            at = self.row_rect(row)
            at.w -= theme.px(14)
            self.draw_row(canvas, theme, at, row)
        self._draw_bar(canvas, theme)
        if self.focused:
            theme.draw_focus(canvas, self.rect)

    def _scroll_by(self, pixels: int) -> bool:
        """Follow a finger by whole rows; return whether there is more than fits."""
        self.top += self._finger.moved(pixels, self._row)
        self._clamp()
        return self.count > self.room

    def draw_head(self, canvas: pygame.Surface, theme: Theme) -> None:
        """Draw what stands above the rows."""

    def draw_row(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: int) -> None:
        """Draw one row."""
        raise NotImplementedError

    def _row_height(self, theme: Theme) -> int:
        return max(theme.px(self.row_units), theme.line_height() + theme.px(8))

    def _clamp(self) -> None:
        self.top = min(max(self.top, 0), max(0, self.count - self.room))

    def _draw_bar(self, canvas: pygame.Surface, theme: Theme) -> None:
        if self.count > self.room:
            area = pygame.Rect(self.rect.left, self.rect.top + self._head, self.rect.w, self.rect.h - self._head)
            height = max(theme.px(24), area.h * self.room // self.count)
            top = area.top + (area.h - height) * self.top // (self.count - self.room)
            bar = (area.right - theme.px(10), top, theme.px(5), height)
            pygame.draw.rect(canvas, theme.colours.edge, bar, border_radius=theme.px(2))


@dataclass(slots=True)
class Item:
    """One row of a ListView."""

    text: str
    detail: str = ""  # at the right
    enabled: bool = True
    indent: int = 0  # levels, for rows below a title
    heading: bool = False  # the title of the rows below it; never selected


class ListView(RowView):
    """A choice of many texts; `press` gets the index of the row picked, `empty` stands where there is none."""

    def __init__(
        self, items: Sequence[Item | str], *, press: Callable[[int], None] | None = None,
        moved: Callable[[int], None] | None = None, index: int = 0, hint: str = "", grow: float = 1.0, rows: int = 6,
        width: float = 460, key: str = "", empty: str = "",
    ) -> None:  # fmt: skip
        super().__init__(press=press, moved=moved, hint=hint, grow=grow, rows=rows, width=width, key=key)
        self.empty = empty
        self.items: list[Item] = []
        self.set_items(items, index=index)

    def set_items(self, items: Sequence[Item | str], *, index: int = 0) -> None:
        """Show other rows."""
        self.items = [item if isinstance(item, Item) else Item(item) for item in items]
        self.fit(len(self.items))
        self.index = self._selectable(index, 1)
        self.show(self.index)

    def select(self, index: int) -> bool:
        return super().select(self._selectable(index, 1 if index >= self.index else -1))

    def pointer(self, event: PointerInput) -> bool:
        row = self.row_at(event.pos)
        return (row is not None and event.kind != "wheel" and self.items[row].heading) or super().pointer(event)

    def show(self, row: int) -> None:
        above = row - 1
        super().show(above if 0 <= above < len(self.items) and self.items[above].heading else row)
        super().show(row)

    def _selectable(self, index: int, way: int) -> int:
        """Return the row that way from `index` that is no heading; the other way where there is none."""
        last = max(0, len(self.items) - 1)
        index = min(max(index, 0), last)
        for rows in (range(index, last + 1), range(index, -1, -1))[::way]:
            for row in rows:
                if self.items and not self.items[row].heading:
                    return row
        return index

    def least_height(self, theme: Theme, width: int) -> int:
        return super().least_height(theme, width) if self.items else 2 * self._row_height(theme)

    def natural(self, theme: Theme, width: int) -> Size:
        wide, high = super().natural(theme, width)
        return wide, high if self.items else 2 * self._row_height(theme)

    @property
    def selected(self) -> Item | None:
        """The selected row."""
        return self.items[self.index] if self.items else None

    @property
    def spoken(self) -> str:
        item = self.selected
        return ", ".join(filter(None, (item.text, item.detail))) if item is not None else self.empty

    def pressed(self) -> bool:
        return not self.items or not self.items[self.index].enabled or super().pressed()

    def draw_head(self, canvas: pygame.Surface, theme: Theme) -> None:
        if not self.items and self.empty:
            picture = theme.paragraph(self.empty, width=self.rect.w - theme.px(48), colour=theme.colours.faint)
            canvas.blit(picture, picture.get_rect(center=self.rect.center))

    def draw_row(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: int) -> None:
        item, chosen, colours = self.items[row], row == self.index, theme.colours
        if chosen:
            plate = area.inflate(-theme.px(8), -theme.px(4))
            pygame.draw.rect(canvas, colours.raised, plate, border_radius=theme.px(8))
            mark = (area.left + theme.px(6), area.top + theme.px(8), theme.px(5), area.h - theme.px(16))
            pygame.draw.rect(canvas, colours.focus, mark, border_radius=theme.px(2))
        left, right = area.left + theme.px(PAD + item.indent * 20), area.right - theme.px(12)
        if item.heading:
            at = area.left + theme.px(12), area.bottom - theme.px(4)
            theme.draw_text(
                canvas, item.text, at, size=themes.SMALL, colour=colours.muted, bold=True, anchor="bottomleft",
                width=right - left,
            )  # fmt: skip
            return
        if item.detail:
            wide = theme.font(themes.SMALL).size(item.detail)[0]
            text = theme.font(bold=chosen).size(item.text)[0]
            room = max(area.w // 2, area.w - text - theme.px(60))
            detail = theme.fitted(
                item.detail, width=min(wide, room), height=area.h - theme.px(6), size=themes.SMALL,
                colour=colours.muted, align=pygame.FONT_RIGHT,
            )  # fmt: skip
            right = canvas.blit(detail, detail.get_rect(midright=(right, area.centery))).left - theme.px(12)
        ink = colours.ink if item.enabled else colours.faint
        at, look = (left, area.centery), {"width": right - left, "height": area.h - theme.px(6)}
        theme.draw_text(canvas, item.text, at, colour=ink, bold=chosen, anchor="midleft", **look)
