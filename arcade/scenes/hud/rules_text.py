"""The rules of a game as lines of a page."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.games.spec import GameSpec


class RulesLine(Paragraph):
    """A part of the rules; takes the focus to be read, so that the page scrolls to it without a mouse."""

    focusable = True

    def pressed(self) -> bool:
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        super().draw(canvas, theme)
        if self.focused:
            theme.draw_focus(canvas, self.rect)


def rules_lines(spec: GameSpec) -> list[Widget]:
    """Return a line for each part of the rules, none where they are not known."""
    return [RulesLine(line, size=themes.SMALL) for line in spec.rules.lines()] if spec.rules else []
