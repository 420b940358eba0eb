"""Foot: the line at the bottom of a page: the hint of the focused widget, and what the buttons do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.input.events import Device, MenuAction
from arcade.engine.input.sources import source_label
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import _

HEIGHT = 44  # units
WIDE = 900  # units of the page from which the buttons have room beside the hint

Legend = Sequence[tuple[MenuAction, str]]
"""What the menu actions do on a page, marked with N_: ``(("accept", N_("Choose")), ("back", N_("Back")))``."""


class Foot(Widget):
    """Shows the hint, in two lines at most, and the legend by the device used last."""

    def __init__(self, host: Host, legend: Legend, hint: Callable[[], str]) -> None:
        super().__init__()
        self._host, self._legend, self._hint = host, legend, hint

    def natural(self, theme: Theme, width: int) -> Size:
        lines = 1 if theme.page[0] >= WIDE else 2
        return width, max(theme.px(HEIGHT), lines * theme.line_height(themes.SMALL) + theme.px(12))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        area, colours, hint = self.rect, theme.colours, self._hint()
        pygame.draw.rect(canvas, colours.ground, area)
        pygame.draw.line(canvas, colours.raised, area.topleft, area.topright)
        right = area.right - theme.margin
        if theme.page[0] >= WIDE or not hint:
            right = self._draw_legend(canvas, theme, right) - 2 * theme.gap
        if hint:
            width = max(1, right - area.left - theme.margin)
            picture = theme.paragraph(hint, width=width, size=themes.SMALL, colour=colours.muted)
            shown = picture.get_rect()
            shown.h = min(shown.h, area.h)
            canvas.blit(picture, shown.move(area.left + theme.margin, area.centery - shown.h // 2), shown)

    def _draw_legend(self, canvas: pygame.Surface, theme: Theme, right: int) -> int:
        """Draw the legend up to `right`; returns where it begins."""
        device = self._host.last_device
        for action, text in reversed(self._legend):
            right = theme.draw_text(
                canvas, _(text), (right, self.rect.centery), size=themes.SMALL, colour=theme.colours.faint,
                anchor="midright",
            ).left - theme.px(8)  # fmt: skip
            right = self._draw_key(canvas, theme, right, self._key_of(action, device)) - theme.px(20)
        return right

    def _draw_key(self, canvas: pygame.Surface, theme: Theme, right: int, name: str) -> int:
        picture = theme.text(name, size=themes.SMALLEST, colour=theme.colours.ink, bold=True)
        plate = pygame.Rect(0, 0, max(picture.get_width() + theme.px(14), theme.px(26)), theme.px(26))
        plate.midright = (right, self.rect.centery)
        pygame.draw.rect(canvas, theme.colours.raised, plate, border_radius=theme.px(8))
        pygame.draw.rect(canvas, theme.colours.edge, plate, theme.px(1), border_radius=theme.px(8))
        canvas.blit(picture, picture.get_rect(center=plate.center))
        return plate.left

    def _key_of(self, action: MenuAction, device: Device) -> str:
        """Return the key or button of a menu action."""
        if device.kind != "gamepad":
            return self._host.bindings.menu("keyboard").labels(action)[0]
        button = self._host.bindings.menu("gamepad").sources[action][0]
        return button.upper() if len(button) == 1 else source_label("gamepad", button)
