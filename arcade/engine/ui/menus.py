"""Focus: the widgets of a screen.  RowList, ListMenu: long lists and choices, with the visible rows in a Scroll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from arcade.engine.input.events import InputEvent, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Area, Widget

LEAST_BAR = 24  # least height of a scroll bar, in pixels
BEGINNING = 400  # pixels of a wide row that fit a page at scale 3, which shows 426


class Scroll:
    """A view of `room` out of `count` rows, from `top` on.

    >>> scroll = Scroll().fit(10, room=4)
    >>> scroll.show(5)
    >>> scroll.rows
    range(2, 6)
    """

    def __init__(self) -> None:
        self.top, self.count, self.room = 0, 0, 1

    def fit(self, count: int, *, room: int) -> Scroll:
        """Set the numbers of all and of visible rows, and keep `top` within them."""
        self.count, self.room = count, max(1, room)
        self.scroll(0)
        return self

    @property
    def rows(self) -> range:
        """The visible rows."""
        return range(self.top, min(self.count, self.top + self.room))

    def show(self, row: int) -> None:
        """Scroll `row` into view."""
        self.top = min(max(self.top, row - self.room + 1), row)

    def scroll(self, by: int) -> bool:
        """Scroll by that many rows; return whether the view moved."""
        before, self.top = self.top, min(max(self.top + by, 0), max(0, self.count - self.room))
        return self.top != before

    def row_at(self, y: int, height: int) -> int | None:
        """Return the visible row at `y` pixels from the top; None without one."""
        row = self.top + y // height
        return row if row in self.rows else None

    def draw_bar(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Draw the scroll bar at the right of `area`, unless all rows are visible."""
        if self.count > self.room:
            height = max(LEAST_BAR, area.h * self.room // self.count)
            top = area.top + (area.h - height) * self.top // (self.count - self.room)
            pygame.draw.rect(canvas, theme.EDGE, (area.right - 10, top, 5, height), border_radius=2)


class RowList(Widget):
    """Rows scrolled by keys, pad and wheel, one of them selected; up and down leave the list at its ends.

    `press` gets the index of the row on accept or a click.  A subclass draws the rows.
    """

    HEAD, ROW, WHEEL = 0, 46, 1  # heights of the heading and of a row, and the rows that a step of the wheel scrolls

    def __init__(self, rect: Area, *, press: Callable[[int], None] | None = None, hint: str = "") -> None:
        super().__init__(rect)
        self.hint, self._press = hint, press
        self.index, self.scroll = 0, Scroll()

    def fit(self, count: int) -> None:
        """Set the number of rows; the selection stays where possible."""
        self.scroll.fit(count, room=(self.rect.h - self.HEAD) // self.ROW)
        self.index = min(self.index, max(0, count - 1))

    def row_rect(self, row: int) -> pygame.Rect:
        """Return the area of a row."""
        top = self.rect.top + self.HEAD + (row - self.scroll.top) * self.ROW
        return pygame.Rect(self.rect.left, top, self.rect.w, self.ROW)

    @property
    def attention(self) -> pygame.Rect:
        row = self.row_rect(self.index).clip(self.rect)
        return pygame.Rect(row.topleft, (min(row.w, BEGINNING), row.h))

    def select(self, index: int) -> bool:
        """Select the nearest row and scroll it into view; return whether it is another one."""
        before, self.index = self.index, min(max(index, 0), max(0, self.scroll.count - 1))
        self.scroll.show(self.index)
        return self.index != before

    def pressed(self) -> bool:
        if self._press is not None and self.scroll.count:
            self._press(self.index)
        return True

    def menu(self, event: MenuInput) -> bool:
        if event.action in ("next", "previous"):
            self.select(self.index + (self.scroll.room if event.action == "next" else -self.scroll.room))
            return True
        by = {"up": -1, "down": 1}.get(event.action, 0)
        return self.select(self.index + by) if by else super().menu(event)

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            self.scroll.scroll(-self.WHEEL * event.wheel)
            return True
        row = self.scroll.row_at(event.pos[1] - self.rect.top - self.HEAD, self.ROW)
        if row is not None and (event.kind == "move" or event.is_click):
            self.select(row)
        return row is not None and (super().pointer(event) or True)


class Focus:
    """The widgets of one screen, in reading order, with the focus on one of them.

    Directions move the focus to the nearest widget that way (up and down round the end), unless the focused one uses
    the step itself; the mouse focuses the widget under it.
    """

    def __init__(self, widgets: Sequence[Widget], *, moved: Callable[[], None] | None = None) -> None:
        self.widgets = list(widgets)
        self._moved = moved  # called when the focus moves, for a sound
        self._index = next((i for i, widget in enumerate(self.widgets) if _can_focus(widget)), -1)
        self._grabbed: Widget | None = None  # under the held mouse button

    @property
    def focused(self) -> Widget | None:
        """The widget with the focus; None without a focusable one."""
        return self.widgets[self._index] if 0 <= self._index < len(self.widgets) else None

    def focus(self, widget: Widget, *, silently: bool = False) -> None:
        """Focus a widget of the group; `silently` without a call of `moved`."""
        index = self.widgets.index(widget)
        if index != self._index and _can_focus(widget):
            self._index = index
            if self._moved is not None and not silently:
                self._moved()

    def handle(self, event: InputEvent) -> bool:
        """Handle an event; return whether a widget used it.  `back`, `start`, `next`, `previous` are for the scene."""
        if isinstance(event, MenuInput):
            return self._menu(event)
        if isinstance(event, PointerInput):
            return self._pointer(event)
        return False

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw the widgets, the focused one on top."""
        for widget in sorted(self.widgets, key=lambda widget: widget is self.focused):
            widget.draw(canvas, focused=widget is self.focused)

    @property
    def hint(self) -> str:
        """The hint of the focused widget."""
        return self.focused.hint if self.focused else ""

    def _menu(self, event: MenuInput) -> bool:
        focused = self.focused
        if focused is not None and focused.enabled and focused.menu(event):
            return True
        if focused is None or event.action not in ("up", "down", "left", "right"):
            return False
        target = self._neighbour(focused, event.action, wrap=not event.repeated)
        if target is not None:
            self.focus(target)
        return target is not None

    def _pointer(self, event: PointerInput) -> bool:
        if event.is_click:
            self._grabbed = None  # another scene heard the release
        if self._grabbed is not None:
            grabbed = self._grabbed
            if event.kind == "release":
                self._grabbed = None
            return grabbed.pointer(event)
        at_mouse = (one for one in reversed(self.widgets) if _can_focus(one) and one.rect.collidepoint(event.pos))
        under = next(at_mouse, None)
        if under is None:
            return False
        self.focus(under)
        if event.is_click:
            self._grabbed = under
        return under.pointer(event)

    def _neighbour(self, here: Widget, direction: str, *, wrap: bool) -> Widget | None:
        others = [widget for widget in self.widgets if widget is not here and _can_focus(widget)]
        dx, dy = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[direction]
        ahead = [(cost, widget) for widget in others if (cost := _cost(here.rect, widget.rect, dx, dy)) is not None]
        if ahead:
            return min(ahead, key=lambda pair: pair[0])[1]
        if wrap and dy and others:
            return (min if dy > 0 else max)(others, key=lambda widget: widget.rect.centery)
        return None


def _can_focus(widget: Widget) -> bool:
    return widget.focusable and widget.enabled


def _cost(here: pygame.Rect, there: pygame.Rect, dx: int, dy: int) -> float | None:
    """Return the distance in that direction; None in another one.  A sideways offset counts double."""
    x, y = there.centerx - here.centerx, there.centery - here.centery
    along, across = x * dx + y * dy, abs(x * dy) + abs(y * dx)
    overlaps = (here.top < there.bottom and there.top < here.bottom) if dx else False
    if along <= 0 or (dx and not overlaps):
        return None
    if dy and here.left < there.right and there.left < here.right:
        return along + across / 4
    return along + 2 * (across + here.w * abs(dy))


@dataclass(slots=True)
class Item:
    """One row of a ListMenu."""

    text: str
    detail: str = ""  # at the right
    enabled: bool = True


class ListMenu(RowList):
    """A choice of many; accept or a click calls `pick(index)`, another selection `moved(index)`."""

    def __init__(
        self, rect: Area, items: Sequence[Item | str], *, pick: Callable[[int], None] | None = None,
        moved: Callable[[int], None] | None = None, index: int = 0, hint: str = "",
    ) -> None:  # fmt: skip
        super().__init__(rect, press=pick, hint=hint)
        self._moved = moved
        self.set_items(items, index=index)

    def set_items(self, items: Sequence[Item | str], *, index: int = 0) -> None:
        """Show other rows."""
        self.items = [item if isinstance(item, Item) else Item(item) for item in items]
        self.fit(len(self.items))
        super().select(index)

    def select(self, index: int) -> bool:
        moved = super().select(index)
        if moved and self._moved is not None:
            self._moved(self.index)
        return moved

    def pressed(self) -> bool:
        return not self.items or not self.items[self.index].enabled or super().pressed()

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        theme.draw_panel(canvas, self.rect)
        for row in self.scroll.rows:
            at = self.row_rect(row)
            at.w -= 14
            self._draw_row(canvas, at, self.items[row], chosen=row == self.index)
        self.scroll.draw_bar(canvas, self.rect)
        if focused:
            theme.draw_focus(canvas, self.rect)

    def _draw_row(self, canvas: pygame.Surface, at: pygame.Rect, item: Item, *, chosen: bool) -> None:
        if chosen:
            pygame.draw.rect(canvas, theme.RAISED, at.inflate(-8, -4), border_radius=8)
            pygame.draw.rect(canvas, theme.FOCUS, (at.left + 6, at.top + 8, 5, at.h - 16), border_radius=2)
        ink = theme.INK if item.enabled else theme.FAINT
        right = at.right - 12
        if item.detail:
            detail = theme.fitted(item.detail, width=at.w // 2, size=theme.SMALL, colour=theme.MUTED)
            right = canvas.blit(detail, detail.get_rect(midright=(right, at.centery))).left
        place, width = (at.left + 24, at.centery), right - at.left - 36
        theme.draw_text(canvas, item.text, place, colour=ink, bold=chosen, anchor="midleft", width=width)
