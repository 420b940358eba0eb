"""LadderPage: base of the pages of the ladder."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui.widgets import Widget
from arcade.session.ladder_book import LadderSheet

AREA = pygame.Rect(40, 186, 1200, 480)
"""The area of a page, between the buttons and the foot."""

FEW_WORDS = "Nothing to show yet: no match between two players is finished"


class LadderPage:
    """One view of a game's standings."""

    title = ""

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        """`meet` shows two players' matches against each other."""
        self.meet = meet
        self.sheet: LadderSheet | None = None

    def fits(self, sheet: LadderSheet | None) -> bool:
        """Whether the page applies to the game."""
        return True

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        """Show these standings; None: there are none."""
        self.sheet = sheet

    def widgets(self) -> list[Widget]:
        """Return the page's widgets."""
        return []

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw what lies behind the widgets."""
