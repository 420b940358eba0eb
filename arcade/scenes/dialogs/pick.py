"""Pick: a choice from a list."""

from __future__ import annotations

import pygame

from arcade.engine.input.events import InputEvent, PointerInput
from arcade.engine.ui.menus import ListMenu
from arcade.engine.ui.widgets import Widget
from arcade.scenes import routes
from arcade.scenes.screen import Dialog
from arcade.session.services import Services

BOX = pygame.Rect(390, 90, 500, 560)
MOST = 9
"""Rows shown at once."""


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
