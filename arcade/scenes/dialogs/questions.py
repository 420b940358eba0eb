"""Questions: yes or no, and one of a list."""

from __future__ import annotations

import pygame

from arcade.engine.input.events import InputEvent, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import ListMenu
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Dialog
from arcade.session.services import Services

BOX = pygame.Rect(390, 90, 500, 560)
MOST = 9
"""Rows shown at once."""


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


class PickScene(Dialog):
    """`done` gets the index of the option picked; Esc, B and a click beside the list cancel."""

    margin = 30, 24

    def __init__(self, services: Services, route: routes.Pick) -> None:
        super().__init__(services, route)
        self.heading, self._done = route.title, route.done
        rows = min(MOST, len(route.options))
        self.box = pygame.Rect(BOX.left, 0, BOX.w, 108 + rows * ListMenu.ROW)
        self.box.centery = BOX.centery
        area = pygame.Rect(BOX.left + 30, self.box.top + 78, BOX.w - 60, rows * ListMenu.ROW)
        self._list = ListMenu(area, route.options, pick=self._pick, index=route.index, hint="Choose it")

    def widgets(self) -> list[Widget]:
        return [self._list]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, PointerInput) and event.kind == "press" and not self.box.collidepoint(event.pos):
            self.back()
            return None
        return super().handle(event)

    def _pick(self, index: int) -> None:
        self.engine.pop()
        self._done(index)
