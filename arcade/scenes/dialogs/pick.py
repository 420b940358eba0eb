"""Pick: one of a list of words, over the page that asks."""

from __future__ import annotations

import pygame

from arcade.engine.input.events import InputEvent, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import ListMenu
from arcade.engine.ui.widgets import Widget
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.services import Services

BOX = pygame.Rect(390, 90, 500, 560)
MOST = 9
"""Rows that are seen at once."""


class PickScene(Screen):
    """`done` gets the place of the word that is picked; Esc, B and a click beside the list leave all as it was."""

    transparent = True
    updates_below = True

    def __init__(self, services: Services, route: routes.Pick) -> None:
        super().__init__(services, route)
        self.heading, self._done = route.title, route.done
        rows = min(MOST, len(route.options))
        self._box = pygame.Rect(BOX.left, 0, BOX.w, 108 + rows * ListMenu.ROW)
        self._box.centery = BOX.centery
        area = pygame.Rect(BOX.left + 30, self._box.top + 78, BOX.w - 60, rows * ListMenu.ROW)
        self._list = ListMenu(area, route.options, pick=self._pick, index=route.index, hint="Take it")

    def widgets(self) -> list[Widget]:
        return [self._list]

    def handle(self, event: InputEvent) -> bool | None:
        beside = isinstance(event, PointerInput) and event.kind == "press" and not self._box.collidepoint(event.pos)
        if beside:
            self.back()
            return None
        return super().handle(event)

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, self._box, edge=theme.EDGE)
        at = (self._box.left + 30, self._box.top + 24)
        self._heading = theme.draw_text(canvas, self.heading, at, size=theme.LARGE, bold=True, width=BOX.w - 60)
        self.focus.draw(canvas)

    def _pick(self, index: int) -> None:
        self.engine.pop()
        self._done(index)
