"""LadderPage: one of the views on a game's standings that share the ladder's screen."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui.widgets import Widget
from arcade.session.ladder_book import LadderSheet

AREA = pygame.Rect(40, 186, 1200, 480)
"""Where a page lies: between the buttons and the foot."""

FEW_WORDS = "Nothing to show yet: no match between two players has come to its end"


class LadderPage:
    """Made with the screen; it is told what to show, and may be shown and hidden any number of times."""

    title = ""

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        """`meet` shows two players' matches against each other on a page of their own."""
        self.meet = meet
        self.sheet: LadderSheet | None = None

    def fits(self, sheet: LadderSheet | None) -> bool:
        """Whether the game has such a view at all."""
        return True

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        """Show these standings from now on; None: there are none."""
        self.sheet = sheet

    def widgets(self) -> list[Widget]:
        """What can be pressed on it."""
        return []

    def draw(self, canvas: pygame.Surface) -> None:
        """What lies behind the widgets."""
