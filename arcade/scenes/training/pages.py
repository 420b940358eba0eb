"""RunPage: one page of a run's screen."""

from __future__ import annotations

import pygame

from arcade.engine.ui.widgets import Widget
from arcade.session.training.run_link import RunLink

AREA = pygame.Rect(40, 170, 1200, 496)
"""The area of a page, between the buttons and the foot."""


class RunPage:
    """Lives as long as the screen; shown and hidden any number of times."""

    title = ""

    def __init__(self, link: RunLink) -> None:
        self.link = link

    def widgets(self) -> list[Widget]:
        """The widgets of the page."""
        return []

    def hide(self) -> None:
        """Free what the page needs only while it is shown."""

    def update(self, now: float) -> bool:
        """Update a shown page; True where `widgets` changed."""
        return False

    def rest(self, now: float) -> None:
        """Do a little work between two frames while shown."""

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw behind the widgets."""
