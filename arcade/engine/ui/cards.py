"""Card: a plate with widgets on it that is pressed as a whole."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui.layout import Panel
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget


class Card(Panel):
    """Calls `press` on accept or a click; `label` names it, since its contents do not take the focus."""

    focusable = True

    def __init__(
        self, child: Widget, press: Callable[[], object], *, label: str, hint: str = "", key: str = "",
        chosen: bool = False, grow: float = 0.0, least: float = 0,
    ) -> None:  # fmt: skip
        edge = "focus" if chosen else "edge"
        super().__init__(child, padding=16, fill="raised", edge=edge, grow=grow, least=least)
        self.label, self.hint, self.key, self.chosen, self._press = label, hint, key, chosen, press

    def pressed(self) -> bool:
        self._press()
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        super().draw(canvas, theme)
        if self.chosen:  # not by colour alone
            bar = pygame.Rect(0, 0, self.rect.w // 2, theme.px(4))
            bar.midbottom = self.rect.midbottom
            pygame.draw.rect(canvas, theme.colours.focus, bar)
        if self.focused:
            theme.draw_focus(canvas, self.rect)
