"""RunPage: one of the views on a run that share its screen."""

from __future__ import annotations

import pygame

from arcade.engine.ui.widgets import Widget
from arcade.session.training.run_link import RunLink

AREA = pygame.Rect(40, 170, 1200, 496)
"""Where a page lies: between the buttons and the foot."""


class RunPage:
    """Made with the screen and kept until that goes; shown and hidden any number of times."""

    title = ""
    hint = ""

    def __init__(self, link: RunLink) -> None:
        self.link = link

    def widgets(self) -> list[Widget]:
        """What can be pressed on it, made anew where that is cheap."""
        return []

    def show(self) -> None:
        """It comes into sight."""

    def hide(self) -> None:
        """It goes out of sight; called again at the screen's end."""

    def update(self, now: float) -> bool:
        """Take what is new while in sight; True where `widgets` must be asked again."""
        return False

    def rest(self, now: float) -> None:
        """Between two frames, while in sight."""

    def draw(self, canvas: pygame.Surface) -> None:
        """What lies behind the widgets."""

    def close(self) -> None:
        """Free what it holds."""
