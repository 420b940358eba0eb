"""Confirm: a question before something that cannot be undone."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Dialog
from arcade.session.services import Services


class ConfirmScene(Dialog):
    """Calls `then` on `yes`; the focus begins on the other answer."""

    box = pygame.Rect(340, 220, 600, 260)
    margin = 40, 30

    def __init__(self, services: Services, route: routes.Confirm) -> None:
        super().__init__(services, route)
        self.heading, self.detail, self._yes, self._then = route.question, route.detail, route.yes, route.then

    def widgets(self) -> list[Widget]:
        rect = pygame.Rect(self.box.left + 40, self.box.bottom - 84, 250, 54)
        return [
            Button(rect, "No", self.back, hint="Change nothing"),
            Button(rect.move(270, 0), self._yes, self._agree, primary=True, hint=self.detail),
        ]

    def draw_page(self, canvas: pygame.Surface) -> None:
        picture = theme.paragraph(self.detail, width=self.box.w - 80, colour=theme.MUTED)
        canvas.blit(picture, (self.box.left + 40, self.box.top + 80))

    def _agree(self) -> None:
        self.engine.pop()
        self._then()
