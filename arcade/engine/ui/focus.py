"""Focus: the one widget of a tree that the next press goes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pygame

from arcade.engine.input.events import InputEvent, KeyInput, MenuInput, PointerInput
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.widget import Widget

ALIKE = 2.0
"""Pixels by which two ways may differ and still be as near as each other: the first in reading order is taken."""


class Focus:
    """Moves through the focusable widgets of `tree`.

    Directions move the focus to the nearest widget that way (up and down round the end), unless the focused one uses
    the step itself.  Sideways that is one at the same height, else one in the next column of the layout.  The mouse
    focuses the widget under it.
    """

    def __init__(
        self, tree: Widget, *, first: Widget | None = None, moved: Callable[[Widget], None] | None = None
    ) -> None:
        """Begin at the first widget in `first`, a part of the tree."""
        self.tree, self._moved = tree, moved
        self.focused: Widget | None = None
        self._grabbed: Widget | None = None  # under the held mouse button
        self._pointed: Widget | None = None  # used the newest mouse event
        wanted = [widget for widget in (first or tree).walk() if widget.can_focus]
        if (begin := next(iter([*wanted, *self.widgets]), None)) is not None:
            self.focus(begin, silently=True)

    @property
    def widgets(self) -> list[Widget]:
        """The widgets that can have the focus, in reading order."""
        return [widget for widget in self.tree.walk() if widget.can_focus]

    @property
    def hint(self) -> str:
        """The hint of the focused widget."""
        return self.focused.hint if self.focused is not None else ""

    def focus(self, widget: Widget, *, silently: bool = False, reveal: bool = True) -> None:
        """Move the focus, and scroll its widget into view; the mouse scrolls nothing by pointing."""
        before, self.focused = self.focused, widget
        if before is not None:
            before.focused = False
        widget.focused = True
        if reveal:
            self.tree.reveal(widget)
        if before is not widget and not silently and self._moved is not None:
            self._moved(widget)

    def focus_like(self, other: Widget | None) -> bool:
        """Focus the widget with the key, or else the label, of `other`, or else at its place; for a tree made again."""
        if other is None:
            return False
        key = other.key or other.label
        same = [widget for widget in self.widgets if key and (widget.key or widget.label) == key]
        for widget in same or [w for w in self.widgets if w.rect.topleft == other.rect.topleft and w.rect.w]:
            self.focus(widget, silently=True)
            return True
        return False

    def handle(self, event: InputEvent) -> bool:
        """Handle a menu step, Home, End or a mouse event; return whether a widget used it."""
        if isinstance(event, MenuInput):
            return self._menu(event)
        if isinstance(event, KeyInput):
            return event.pressed and event.name in ("home", "end") and self._jump(to_end=event.name == "end")
        return isinstance(event, PointerInput) and self._pointer(event)

    def _jump(self, *, to_end: bool) -> bool:
        return self.focused is not None and self.focused.jump(to_end=to_end)

    def _menu(self, event: MenuInput) -> bool:
        focused = self.focused
        if focused is not None and focused.enabled and focused.menu(event):
            return True
        if focused is None or event.action not in ("up", "down", "left", "right"):
            return False
        if self._scroll_within(focused, event.action):
            return True
        target = self.neighbour(focused, event.action, wrap=False)
        if target is None and event.action == "down" and self._scroll_below(focused):
            return True
        target = target or self.neighbour(focused, event.action, wrap=not event.repeated)
        if target is not None:
            self.focus(target)
        return target is not None

    def _scroll_within(self, here: Widget, direction: str) -> bool:
        """Scroll on in a widget that is higher than its view, such as a long text; return whether the view moved."""
        view = next(reversed(dict(_views(self.tree)).get(here, ())), None)
        if view is None or here.rect.h <= view.rect.h or here.attention != here.rect:
            return False
        ahead = {"down": here.rect.bottom - view.rect.bottom, "up": view.rect.top - here.rect.top}.get(direction, 0)
        by = min(ahead, view.rect.h // 2)
        return by > 0 and view.scroll_by(by if direction == "down" else -by)

    def _scroll_below(self, last: Widget) -> bool:
        """Scroll towards what lies below the last widget, such as a picture; return whether the view moved."""
        around = dict(_views(self.tree)).get(last, ())
        return any(part.scroll_by(part.rect.h // 2) for part in reversed(around))

    def _pointer(self, event: PointerInput) -> bool:
        if event.is_click:
            self._grabbed = None  # another screen heard the release
        if self._grabbed is not None:
            grabbed = self._grabbed
            if event.kind == "release":
                self._grabbed = None
            return grabbed.pointer(event)
        before, self._pointed = self._pointed, self._point(event)
        if before is not None and before is not self._pointed:
            before.leave()
        if event.is_click:
            self._grabbed = self._pointed
        return self._pointed is not None

    def _point(self, event: PointerInput) -> Widget | None:
        """Hand the event to the widgets under the mouse; return the one that used it."""
        for widget in self.tree.at(event.pos):
            if widget.can_focus and event.kind in ("move", "press"):
                self.focus(widget, reveal=False)
            if (widget.can_focus or not widget.focusable) and widget.pointer(event):
                return widget
        return None

    def neighbour(self, here: Widget, direction: str, *, wrap: bool) -> Widget | None:
        """Return the next widget that way, in the same scrolled part first.

        One that is apart is next only straight above or below.
        """
        dx, dy = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[direction]
        views = dict(_views(self.tree))
        own = views.get(here, ())
        places = _in_sight(here, views)
        at = here.attention if dy else here.rect  # straight above the selected tile, not the middle of all tiles
        others = [w for w in places if dx or not w.is_apart or _shares_column(here, w)]
        for depth in range(len(own), -1, -1):
            part = [widget for widget in others if views[widget][:depth] == own[:depth]]
            ahead = [(cost, widget) for widget in part if (cost := _cost(at, places[widget], dx, dy)) is not None]
            # up and down leave a scrolled part that has nothing more in this column
            if ahead and (not depth or dx or any(_shares_column(here, widget) for _, widget in ahead)):
                nearest = min(cost for cost, _widget in ahead)
                return next(widget for cost, widget in ahead if cost <= nearest + ALIKE)
        if dx:
            return self._beside(here, dx)
        around = [widget for widget in others if not widget.is_apart]
        around = [widget for widget in around if _shares_column(here, widget)] or around
        if wrap and around:
            return (min if dy > 0 else max)(around, key=lambda widget: _height(widget, views[widget]))
        return None

    def _beside(self, here: Widget, dx: int) -> Widget | None:
        """Return the widget nearest in height among those of the next column, of the innermost part that has one."""
        path = _path(self.tree, here)
        for part, child in zip(path[-2::-1], path[:0:-1], strict=True):
            columns = [one for one in part.children if _is_beside(child.rect, one.rect, dx)]
            found = [widget for column in columns for widget in column.walk() if widget.can_focus]
            if found:
                return min(found, key=lambda widget: _apart(here.rect, widget.rect, dx))
        return None


def _views(part: Widget, around: tuple[Scroll, ...] = ()) -> Iterator[tuple[Widget, tuple[Scroll, ...]]]:
    """Yield each widget that can have the focus, with the scrolled parts around it, the innermost last."""
    if part.can_focus:
        yield part, around
    inside = (*around, part) if isinstance(part, Scroll) else around
    for child in part.children:
        yield from _views(child, inside)


def _in_sight(here: Widget, views: Mapping[Widget, tuple[Scroll, ...]]) -> dict[Widget, pygame.Rect]:
    """Return the visible rectangles of the other widgets.

    Widgets scrolled out of sight, in a part that `here` is not in, are left out unless that part shows none.
    """
    own, seen, hidden = views.get(here, ()), dict[Widget, pygame.Rect](), dict[Widget, pygame.Rect]()
    for widget, around in views.items():
        rect = widget.rect.copy()
        foreign = [view for view in around if view not in own]
        for view in foreign:
            rect = rect.clip(view.rect)
        is_seen = all(2 * rect.h >= min(widget.rect.h, view.rect.h) for view in foreign)
        (seen if is_seen else hidden)[widget] = rect
    showing = {view for widget in seen for view in views[widget]}
    seen |= {widget: rect for widget, rect in hidden.items() if not any(view in showing for view in views[widget])}
    seen.pop(here, None)
    return {widget: seen[widget] for widget in views if widget in seen}


def _height(widget: Widget, views: Sequence[Scroll]) -> tuple[int, int]:
    """Return where a widget is from top to bottom; one that is scrolled out of sight is at the edge of its view."""
    height = widget.rect.centery
    for view in reversed(views):
        height = min(max(height, view.rect.top), view.rect.bottom)
    return height, widget.rect.centery


def _path(tree: Widget, target: Widget) -> list[Widget]:
    """Return the widgets from `tree` down to `target`; [] where it is not in there."""
    if tree is target:
        return [tree]
    below = next(filter(None, (_path(child, target) for child in tree.children)), None)
    return [tree, *below] if below else []


def _is_beside(here: pygame.Rect, there: pygame.Rect, dx: int) -> bool:
    """Whether `there` is a column at that side of `here`."""
    is_that_way = there.left >= here.right if dx > 0 else there.right <= here.left
    return is_that_way and here.top < there.bottom and there.top < here.bottom


def _apart(here: pygame.Rect, there: pygame.Rect, dx: int) -> tuple[int, int]:
    """Return the distance in height, then that sideways."""
    return max(there.top - here.bottom, here.top - there.bottom, 0), (there.centerx - here.centerx) * dx


def _shares_column(here: Widget, there: Widget) -> bool:
    return here.rect.left < there.rect.right and there.rect.left < here.rect.right


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
