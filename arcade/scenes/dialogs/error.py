"""Error: the message of an error, with the end of its traceback."""

from __future__ import annotations

import pygame

from agents.errors import UserError
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.services import Services

LINES = 14
"""Lines shown of the traceback, the last ones."""


class ErrorScene(Screen):
    """Shown where a scene raises; a StageError has the game's name and the traceback of its process."""

    read_first = True
    grace = 0.5

    def __init__(self, services: Services, route: routes.Failed) -> None:
        super().__init__(services, route)
        self.error = error = route.error
        game = getattr(error, "game", "")
        self.heading = f"{game} stopped" if game else "Something went wrong"
        self.message = str(getattr(error, "message", "") or error) or type(error).__name__
        details = getattr(error, "details", "") if game else ("" if isinstance(error, UserError) else route.details)
        self.lines = str(details).rstrip().splitlines()[-LINES:]

    def widgets(self) -> list[Widget]:
        rects = [pygame.Rect(theme.MARGIN + place * 324, 600, 300, 60) for place in range(3)]
        return [
            Button(rects[0], "Title", self.back, primary=True, hint="Back to the title"),
            Button(rects[1], "Games", self._games, enabled=self.services.ready, hint="Choose another game"),
            Button(rects[2], "Quit", self.engine.quit, hint="Close the arcade"),
        ]

    def back(self) -> None:
        self.engine.reset_to(routes.Title())

    def draw_page(self, canvas: pygame.Surface) -> None:
        picture = theme.paragraph(self.message, width=1200, colour=theme.WARNING)
        at = canvas.blit(picture, (theme.MARGIN, 96))
        if self.lines:
            area = pygame.Rect(theme.MARGIN, at.bottom + 20, 1200, 24 * len(self.lines) + 32)
            theme.draw_panel(canvas, area)
            for place, line in enumerate(self.lines):
                where = (area.left + 20, area.top + 16 + place * 24)
                theme.draw_text(canvas, line, where, size=theme.SMALL, colour=theme.MUTED, width=area.w - 40)

    def _games(self) -> None:
        self.back()
        self.engine.push(routes.Games())
