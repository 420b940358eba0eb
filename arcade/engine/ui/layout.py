"""Layout: the widgets that place others, at the window's own resolution.

A screen is a tree of widgets.  `Row`, `Column`, `Grid`, `Stack`, `Panel` and `Scroll` place their children; everything
else is a leaf.  A pass over the tree measures each widget for a width, then gives it a rectangle::

    tree = Column([Label("Settings", size=TITLE), Row([Button("On", turn_on), Button("Off", turn_off)])])
    tree.arrange(theme, canvas.get_rect())
    tree.draw(canvas, theme)

All rectangles are in pixels of the canvas, all lengths given to widgets in the theme's units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget

Align = Literal["stretch", "start", "centre", "end"]


class Box(Widget):
    """Holds children."""

    def __init__(self, children: Sequence[Widget | None], *, grow: float = 0.0) -> None:
        super().__init__(grow=grow)
        self._children = tuple(child for child in children if child is not None)

    @property
    def children(self) -> Sequence[Widget]:
        return self._children


class Column(Box):
    """Children one below the other; growing ones share the spare height by their `grow`."""

    def __init__(
        self, children: Sequence[Widget | None], *, gap: float = themes.GAP, align: Align = "stretch", grow: float = 0.0
    ) -> None:
        super().__init__(children, grow=grow)
        self.gap, self.align = gap, align

    def natural(self, theme: Theme, width: int) -> Size:
        sizes = [child.measure(theme, width) for child in self.children]
        gaps = theme.px(self.gap) * max(0, len(sizes) - 1)
        return max((w for w, _ in sizes), default=0), sum(h for _, h in sizes) + gaps

    def least(self, theme: Theme) -> int:
        return max((child.least(theme) for child in self.children), default=0)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        heights = self._heights(theme, rect)
        top = rect.top
        for child, height in zip(self.children, heights, strict=True):
            width = rect.w if self.align == "stretch" else min(rect.w, child.measure(theme, rect.w)[0])
            child.arrange(theme, pygame.Rect(_aligned(rect.left, rect.w, width, self.align), top, width, height))
            top += height + theme.px(self.gap)

    def least_height(self, theme: Theme, width: int) -> int:
        gaps = theme.px(self.gap) * max(0, len(self.children) - 1)
        return sum(child.least_height(theme, width) for child in self.children) + gaps

    def _heights(self, theme: Theme, rect: pygame.Rect) -> list[int]:
        """Return the heights of the children: more than natural for growing ones, less where the room is short."""
        heights = [child.measure(theme, rect.w)[1] for child in self.children]
        spare = rect.h - sum(heights) - theme.px(self.gap) * max(0, len(heights) - 1)
        if spare >= 0:
            return _grown(heights, [child.grow for child in self.children], spare)
        least = [child.least_height(theme, rect.w) for child in self.children]
        return _squeezed(heights, least, max(sum(heights) + spare, sum(least)))


class Row(Box):
    """Children beside each other, or one below the other where they are too narrow (`stacks`).

    Growing ones share the spare width by their `grow`.
    """

    def __init__(
        self, children: Sequence[Widget | None], *, gap: float = themes.GAP, align: Align = "centre",
        stacks: bool = True, grow: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(children, grow=grow)
        self.gap, self.align, self.stacks = gap, align, stacks
        self._stack = Column(children, gap=gap)

    def forget(self) -> None:
        super().forget()
        self._stack._measured.clear()

    def is_stacked(self, theme: Theme, width: int) -> bool:
        """Whether the children stand one below the other within `width`."""
        return self.stacks and self.least(theme) > width

    def least(self, theme: Theme) -> int:
        gaps = theme.px(self.gap) * max(0, len(self.children) - 1)
        return sum(child.least(theme) for child in self.children) + gaps

    def natural(self, theme: Theme, width: int) -> Size:
        if self.is_stacked(theme, width):
            return self._stack.natural(theme, width)
        widths = self._widths(theme, width)
        heights = [child.measure(theme, w)[1] for child, w in zip(self.children, widths, strict=True)]
        gaps = theme.px(self.gap) * max(0, len(widths) - 1)
        return sum(widths) + gaps, max(heights, default=0)

    def least_height(self, theme: Theme, width: int) -> int:
        if self.is_stacked(theme, width):
            return self._stack.least_height(theme, width)
        widths = self._widths(theme, width)
        return max((c.least_height(theme, w) for c, w in zip(self.children, widths, strict=True)), default=0)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        if self.is_stacked(theme, rect.w):
            self._stack.arrange(theme, rect)
            return
        left = rect.left
        for child, width in zip(self.children, self._widths(theme, rect.w), strict=True):
            height = rect.h if self.align == "stretch" else min(rect.h, child.measure(theme, width)[1])
            child.arrange(theme, pygame.Rect(left, _aligned(rect.top, rect.h, height, self.align), width, height))
            left += width + theme.px(self.gap)

    def _widths(self, theme: Theme, width: int) -> list[int]:
        """Share `width`: natural widths first, growing children by their share of the rest, at least their `least`."""
        room = width - theme.px(self.gap) * max(0, len(self.children) - 1)
        growing = [child.grow for child in self.children]
        if any(growing):
            fixed = [0 if grow else min(child.measure(theme, room)[0], room)
                     for grow, child in zip(growing, self.children, strict=True)]  # fmt: skip
            return _shared(fixed, growing, [child.least(theme) for child in self.children], room)
        widths = [child.measure(theme, room)[0] for child in self.children]
        return widths if sum(widths) <= room else _squeezed(widths, [c.least(theme) for c in self.children], room)


class Grid(Box):
    """Children in columns of equal width, as many as fit with `cell` units each; a row is as high as its highest."""

    def __init__(
        self, children: Sequence[Widget | None], *, cell: float, most: int = 99, gap: float = themes.GAP,
        grow: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(children, grow=grow)
        self.cell, self.most, self.gap = cell, most, gap

    def columns(self, theme: Theme, width: int) -> int:
        """Return the number of columns within `width` pixels."""
        gap, cell = theme.px(self.gap), max([theme.px(self.cell), *(child.least(theme) for child in self.children)])
        return max(1, min(self.most, (width + gap) // (cell + gap)))

    def natural(self, theme: Theme, width: int) -> Size:
        heights = self._heights(theme, width)
        return width, sum(heights) + theme.px(self.gap) * max(0, len(heights) - 1)

    def least(self, theme: Theme) -> int:
        return theme.px(self.cell)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        columns, gap, top = self.columns(theme, rect.w), theme.px(self.gap), rect.top
        width = (rect.w - gap * (columns - 1)) // columns
        for row, height in enumerate(self._heights(theme, rect.w)):
            for place, child in enumerate(self.children[row * columns : (row + 1) * columns]):
                child.arrange(theme, pygame.Rect(rect.left + place * (width + gap), top, width, height))
            top += height + gap

    def _heights(self, theme: Theme, width: int) -> list[int]:
        columns, gap = self.columns(theme, width), theme.px(self.gap)
        cell = (width - gap * (columns - 1)) // columns
        high = [child.measure(theme, cell)[1] for child in self.children]
        return [max(high[start : start + columns]) for start in range(0, len(high), columns)]


class Stack(Box):
    """Children over each other, each in the whole rectangle."""

    def natural(self, theme: Theme, width: int) -> Size:
        sizes = [child.measure(theme, width) for child in self.children]
        return max((w for w, _ in sizes), default=0), max((h for _, h in sizes), default=0)

    def least_height(self, theme: Theme, width: int) -> int:
        return max((child.least_height(theme, width) for child in self.children), default=0)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        for child in self.children:
            child.arrange(theme, rect)


class Centred(Box):
    """A child in the middle, at most `width` units wide, no higher than the room."""

    def __init__(self, child: Widget, *, width: float, grow: float = 1.0) -> None:
        super().__init__([child], grow=grow)
        self.width = width

    def natural(self, theme: Theme, width: int) -> Size:
        return self.children[0].measure(theme, min(width, theme.px(self.width)))

    def least_height(self, theme: Theme, width: int) -> int:
        return self.children[0].least_height(theme, min(width, theme.px(self.width)))

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        width = min(rect.w, theme.px(self.width))
        inside = pygame.Rect(0, 0, width, min(rect.h, self.children[0].measure(theme, width)[1]))
        inside.center = rect.center
        self.children[0].arrange(theme, inside)


class Panel(Box):
    """A child on a plate, with `padding` units around it; `fill` "" draws no plate."""

    def __init__(
        self, child: Widget, *, padding: float = 20, fill: str = "panel", edge: str = "", grow: float = 0.0,
        width: float = 0, least: float = 0, align: Align = "stretch",
    ) -> None:  # fmt: skip
        super().__init__([child], grow=grow)
        self.padding, self.fill, self.edge, self.align = padding, fill, edge, align
        self.width, self._least = width, least  # in units; 0: as the child

    def natural(self, theme: Theme, width: int) -> Size:
        around = 2 * theme.px(self.padding)
        room = min(width, theme.px(self.width)) if self.width else width
        wide, high = self.children[0].measure(theme, room - around)
        return (room if self.width else wide + around), high + around

    def least(self, theme: Theme) -> int:
        return theme.px(self._least) if self._least else self.children[0].least(theme) + 2 * theme.px(self.padding)

    def least_height(self, theme: Theme, width: int) -> int:
        around = 2 * theme.px(self.padding)
        return self.children[0].least_height(theme, width - around) + around

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        inside = rect.inflate(-2 * theme.px(self.padding), -2 * theme.px(self.padding))
        if self.align != "stretch":
            high = min(inside.h, self.children[0].measure(theme, inside.w)[1])
            inside = pygame.Rect(inside.left, _aligned(inside.top, inside.h, high, self.align), inside.w, high)
        self.children[0].arrange(theme, inside)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        if self.fill:
            edge = getattr(theme.colours, self.edge) if self.edge else None
            theme.draw_panel(canvas, self.rect, fill=getattr(theme.colours, self.fill), edge=edge)
        super().draw(canvas, theme)


class Spacer(Widget):
    """Empty room: `size` units, and its share of the spare one."""

    def __init__(self, size: float = 0, *, grow: float = 1.0) -> None:
        super().__init__(grow=grow)
        self._size = size

    def natural(self, theme: Theme, width: int) -> Size:
        return theme.px(self._size), theme.px(self._size)

    def least(self, theme: Theme) -> int:
        return theme.px(self._size)


def _aligned(start: int, room: int, length: int, align: Align) -> int:
    spare = {"stretch": 0, "start": 0, "centre": (room - length) // 2, "end": room - length}
    return start + spare[align]


def _grown(lengths: list[int], growing: list[float], spare: int) -> list[int]:
    """Give spare length to growing children, by their shares."""
    whole = sum(growing)
    if spare <= 0 or not whole:
        return lengths
    return [length + round(spare * grow / whole) for length, grow in zip(lengths, growing, strict=True)]


def _shared(fixed: list[int], growing: list[float], least: list[int], room: int) -> list[int]:
    """Share the room left by `fixed` lengths by `growing`, but give nothing less than its `least` where that fits."""
    rest, open_ = room - sum(fixed), [place for place, grow in enumerate(growing) if grow]
    lengths, wanted = list(fixed), sum(least[place] for place in open_)
    if 0 < rest < wanted:
        for place in open_:
            lengths[place] = max(1, rest * least[place] // wanted)
        return lengths
    while open_:
        whole = sum(growing[place] for place in open_)
        short = next((place for place in open_ if rest * growing[place] / whole < least[place]), None)
        if short is None or len(open_) == 1:
            for place in open_:
                lengths[place] = max(1, int(rest * growing[place] / whole))
            break
        lengths[short] = least[short]
        rest -= least[short]
        open_.remove(short)
    return lengths


def _squeezed(lengths: list[int], least: list[int], room: int) -> list[int]:
    """Shorten lengths in proportion to what they have above their least."""
    over = sum(lengths) - room
    loose = [max(0, length - low) for length, low in zip(lengths, least, strict=True)]
    whole = sum(loose) or 1
    return [max(1, length - round(over * part / whole)) for length, part in zip(lengths, loose, strict=True)]
