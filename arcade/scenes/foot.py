"""Foot: the line at the bottom of a page: the hint of the focused widget, and what the buttons do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pygame

from arcade.engine.input.events import MenuAction
from arcade.engine.input.pad_families import button_name
from arcade.engine.ui import theme as themes
from arcade.engine.ui.glyphs import glyph
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import _

HEIGHT = 44  # units
WIDE = 900  # units of the page from which the buttons have room beside the hint

Legend = Sequence[tuple[MenuAction, str]]
"""What the menu actions do on a page, marked with N_: ``(("accept", N_("Choose")), ("back", N_("Back")))``."""


class Foot(Widget):
    """Shows the hint and the legend by the device used last: side by side, on a narrow page one below the other.

    A long hint has both lines of a narrow page for itself.  With `messages` the window's newest message takes the place
    of both, on pages where it would hide something anywhere else.
    """

    def __init__(self, host: Host, legend: Legend, hint: Callable[[], str], *, messages: bool = False) -> None:
        super().__init__()
        self._host, self._legend, self._hint, self._messages = host, legend, hint, messages

    def natural(self, theme: Theme, width: int) -> Size:
        low, line = theme.px(HEIGHT), theme.line_height(themes.SMALL)
        return width, low if theme.page[0] >= WIDE else max(low, 2 * line + theme.px(28))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        area, colours, hint = self.rect, theme.colours, self._hint()
        pygame.draw.rect(canvas, colours.ground, area)
        pygame.draw.line(canvas, colours.raised, area.topleft, area.topright)
        if self._messages and (messages := self._host.toasts.messages):
            self._draw_message(canvas, theme, messages[-1])
            return
        right, row = area.right - theme.margin, area.h - theme.px(8)
        look: dict[str, Any] = {"size": themes.SMALL, "colour": colours.muted}
        room, words = right - area.left - theme.margin, theme.font(themes.SMALL).size(hint)[0]
        is_wide = theme.page[0] >= WIDE or self._width(theme) + words <= room
        stacked = bool(hint) and not is_wide and words <= room
        middle = area.centery - ((theme.line_height(themes.SMALL) + theme.px(12)) // 2 if stacked else 0)
        if is_wide or not hint or stacked:
            below = area.bottom - (middle - area.top)
            left = self._draw_legend(canvas, theme, (right, below if stacked else middle))
            right = right if stacked else left - 2 * theme.gap
        if hint:
            width = max(1, right - area.left - theme.margin)
            picture = theme.fitted(hint, width=width, height=row, **look)
            canvas.blit(picture, picture.get_rect(midleft=(area.left + theme.margin, middle)))

    def _draw_message(self, canvas: pygame.Surface, theme: Theme, message: str) -> None:
        """Draw a message on a plate; of one that is too long the middle is left out, for the sake of paths."""
        across, row = theme.px(14), self.rect.h - theme.px(8)
        width = self.rect.w - 2 * (theme.margin + across)
        words = theme.fitted(message, width=width, height=row, size=themes.SMALL, bold=True)
        plate = words.get_rect(center=self.rect.center).inflate(2 * across, 0)
        plate.h = row
        plate.centery = self.rect.centery
        theme.draw_panel(canvas, plate, fill=theme.colours.raised, edge=theme.colours.edge)
        canvas.blit(words, words.get_rect(center=plate.center))

    def _draw_legend(self, canvas: pygame.Surface, theme: Theme, at: tuple[int, int]) -> int:
        """Draw the legend up to `at`, the middle of its right end; returns where it begins.

        Where it is too wide its words are smaller, and at last those of its end are left out.
        """
        right, middle = at
        room, legend, size = right - self.rect.left - theme.px(8), list(self._legend), themes.SMALL
        if self._width(theme) > room:
            size = themes.SMALLEST
        while len(legend) > 1 and self._width(theme, legend, size) - 2 * theme.gap - theme.px(20) > room:
            legend.pop()
        for action, text in reversed(legend):
            right = theme.draw_text(
                canvas, _(text), (right, middle), size=size, colour=theme.colours.faint, anchor="midright"
            ).left - theme.px(8)  # fmt: skip
            picture = self._glyph_of(theme, action)
            right = canvas.blit(picture, picture.get_rect(midright=(right, middle))).left - theme.px(20)
        return right

    def _width(self, theme: Theme, legend: Legend | None = None, size: float = themes.SMALL) -> int:
        """Return the width of a legend, the whole one by default, with the gap before it."""
        legend = self._legend if legend is None else legend
        words = sum(theme.font(size).size(_(text))[0] for _action, text in legend)
        glyphs = sum(self._glyph_of(theme, action).get_width() for action, _text in legend)
        return words + glyphs + len(legend) * theme.px(28) + 2 * theme.gap

    def _glyph_of(self, theme: Theme, action: MenuAction) -> pygame.Surface:
        """Return the picture of the key or button of a menu action."""
        family, bindings = self._host.hint_family, self._host.bindings
        if family == "keyboard":
            return glyph(theme, family, "", bindings.menu("keyboard").labels(action)[0])
        button = bindings.menu("gamepad").sources[action][0]
        return glyph(theme, family, button, button_name(family, button, bindings.pad))
