"""ProgressBar: how much of something is done."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.language import percent

Share = Callable[[], float | None]


class ProgressBar(Widget):
    """A bar with its percentage; takes no room while the share is not known: an empty bar would say "nothing done".

    `share` is asked for the part that is done, 0 to 1, in each frame.
    """

    def __init__(self, share: Share, *, height: float = 14, width: float = 300, grow: float = 0.0) -> None:
        super().__init__(grow=grow)
        self._share, self.height, self.width = share, height, width

    @property
    def text(self) -> str:
        """The percentage, "" where it is not known."""
        share = self._share()
        return "" if share is None else percent(share)

    def natural(self, theme: Theme, width: int) -> Size:
        if self._share() is None:
            return 0, 0
        high = max(theme.px(self.height), theme.line_height(themes.SMALL))
        return min(width, theme.px(self.width)), high

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        share = self._share()
        if share is None or not self.rect.h:
            return
        room = theme.font(themes.SMALL, bold=True).size("100%")[0] + theme.px(10)
        bar = pygame.Rect(self.rect.left, 0, max(1, self.rect.w - room), theme.px(self.height))
        bar.centery = self.rect.centery
        pygame.draw.rect(canvas, theme.colours.edge, bar, border_radius=bar.h // 2)
        done = pygame.Rect(bar.left, bar.top, max(bar.h, round(bar.w * min(1.0, max(0.0, share)))), bar.h)
        pygame.draw.rect(canvas, theme.colours.teams[0], done, border_radius=bar.h // 2)
        theme.draw_text(canvas, self.text, self.rect.midright, size=themes.SMALL, bold=True, anchor="midright")
