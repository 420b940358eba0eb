"""Tabs: buttons that choose one of several pages; where they are too many for the width, they scroll sideways."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget

HEIGHT = 46  # units


class Tabs(Widget):
    """The titles of pages with the present one marked; left, right, a click or the wheel turn to another one.

    `turn` gets the index of the page.
    """

    focusable = True

    def __init__(
        self, titles: Sequence[str], *, index: int, turn: Callable[[int], None], hint: str = "", key: str = "tabs"
    ) -> None:
        super().__init__()
        self.titles, self.index, self._turn, self.hint, self.key = tuple(titles), index, turn, hint, key
        self._edge = 0  # pixels of an arrow at a side
        self._spans: list[tuple[int, int]] = []  # left edge in `rect` and width of each title

    @property
    def label(self) -> str:  # type: ignore[override]
        return self.titles[self.index] if self.titles else ""

    def natural(self, theme: Theme, width: int) -> Size:
        high = max(theme.px(HEIGHT), theme.line_height() + theme.px(14))
        return min(width, sum(self._widths(theme))), high

    def least(self, theme: Theme) -> int:
        return theme.px(240)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        self._edge = theme.px(28)
        widths, lefts, left = self._widths(theme), [], 0
        for width in widths:
            lefts.append(left)
            left += width
        middle = lefts[self.index] + widths[self.index] // 2 if widths else 0
        shift = min(max(middle - rect.w // 2, 0), max(0, left - rect.w))
        self._spans = [(left - shift, wide) for left, wide in zip(lefts, widths, strict=True)]

    @property
    def areas(self) -> list[pygame.Rect]:
        """The places of the titles, some outside where they are too many."""
        return [pygame.Rect(self.rect.left + left, self.rect.top, wide, self.rect.h) for left, wide in self._spans]

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1}.get(event.action, 0)
        if not by or not 0 <= self.index + by < len(self.titles):
            return event.is_accept
        self.turn_by(by)
        return True

    def turn_by(self, by: int) -> None:
        """Turn by that many pages, round the end."""
        self.index = (self.index + by) % len(self.titles)
        self._turn(self.index)

    def pointer(self, event: PointerInput) -> bool:
        if not event.is_click:
            return False
        if self._turn_at_edge(event.pos[0]):
            return True
        for index, area in enumerate(self.areas):
            if area.collidepoint(event.pos) and index != self.index:
                self.turn_by(index - self.index)
        return True

    def _turn_at_edge(self, x: int) -> bool:
        """Turn to the next page by a click on an arrow at a side."""
        areas, edge = self.areas, self._edge
        for way, is_there in ((-1, areas[:1] and areas[0].left < self.rect.left),
                              (1, areas[-1:] and areas[-1].right > self.rect.right)):  # fmt: skip
            is_hit = x < self.rect.left + edge if way < 0 else x > self.rect.right - edge
            if is_there and is_hit and 0 <= self.index + way < len(self.titles):
                self.turn_by(way)
                return True
        return False

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        before = canvas.get_clip()
        canvas.set_clip(self.rect.clip(before))
        pygame.draw.line(canvas, theme.colours.edge, self.rect.bottomleft, self.rect.bottomright, theme.px(2))
        for index, (title, area) in enumerate(zip(self.titles, self.areas, strict=True)):
            chosen = index == self.index
            ink = theme.colours.ink if chosen else theme.colours.muted
            theme.draw_text(canvas, title, area.center, anchor="center", bold=chosen, colour=ink)
            if chosen:
                line = pygame.Rect(
                    area.left + theme.px(10), area.bottom - theme.px(5), area.w - theme.px(20), theme.px(5)
                )
                pygame.draw.rect(canvas, theme.colours.focus, line, border_radius=theme.px(2))
        self._draw_more(canvas, theme)
        canvas.set_clip(before)
        if self.focused:
            theme.draw_focus(canvas, self.rect)

    def _draw_more(self, canvas: pygame.Surface, theme: Theme) -> None:
        """Draw an arrow at each side where titles are out of sight."""
        colours, areas, wide, half = theme.colours, self.areas, self._edge, theme.px(8)
        is_left = bool(areas) and areas[0].left < self.rect.left
        is_right = bool(areas) and areas[-1].right > self.rect.right
        for way, is_shown in ((-1, is_left), (1, is_right)):
            if not is_shown:
                continue
            plate = pygame.Rect(0, self.rect.top, wide, self.rect.h)
            plate.left = self.rect.left if way < 0 else self.rect.right - wide
            pygame.draw.rect(canvas, colours.ground, plate)
            x, y = plate.center
            tip, base = x + way * half, x - way * half // 2
            pygame.draw.polygon(canvas, colours.ink, [(tip, y), (base, y - half), (base, y + half)])

    def _widths(self, theme: Theme) -> list[int]:
        return [theme.font(bold=True).size(title)[0] + theme.px(36) for title in self.titles]
