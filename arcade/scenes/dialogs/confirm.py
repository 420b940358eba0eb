"""Confirm: a question over what is on the screen, before something that cannot be taken back."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.services import Services

BOX = pygame.Rect(340, 220, 600, 260)


class ConfirmScene(Screen):
    """`then` follows on `yes`; anything else leads back, and the focus begins there."""

    transparent = True
    updates_below = True

    def __init__(self, services: Services, route: routes.Confirm) -> None:
        super().__init__(services, route)
        self.heading, self.detail, self._yes, self._then = route.question, route.detail, route.yes, route.then

    def widgets(self) -> list[Widget]:
        rows = [pygame.Rect(BOX.left + 40 + place * 270, BOX.bottom - 84, 250, 54) for place in range(2)]
        return [
            Button(rows[0], "No", self.back, hint="Leave all as it is"),
            Button(rows[1], self._yes, self._agree, primary=True, hint=self.detail),
        ]

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        left, width = BOX.left + 40, BOX.w - 80
        theme.draw_text(canvas, self.heading, (left, BOX.top + 30), size=theme.LARGE, bold=True, width=width)
        canvas.blit(theme.paragraph(self.detail, width=width, colour=theme.MUTED), (left, BOX.top + 80))
        self.focus.draw(canvas)

    def _agree(self) -> None:
        self.engine.pop()
        self._then()
