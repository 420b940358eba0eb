"""The page that asks which seat of a recording to take over."""

from __future__ import annotations

import pygame

from agents.seats.choice import SeatChoice
from arcade.engine.input.events import InputEvent, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import Widget
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.match.devices import hand_of
from arcade.session.services import Services

BOX = pygame.Rect(290, 120, 700, 470)


class TakeOverPage(Screen):
    """Asks for the seat; `take(agent, who)` follows, `who` being whatever was pressed."""

    heading = "Take over which seat?"
    legend = "Up, down: choose    {enter}, {a} or click: play on from here    {esc} or {b}: back"
    transparent = True

    def __init__(self, services: Services, route: routes.TakeOver) -> None:
        super().__init__(services, route)
        self._seats, self._by, self._take = tuple(route.seats), route.by, route.take

    def widgets(self) -> list[Widget]:
        area = (BOX.left + 30, BOX.top + 84, BOX.w - 60, BOX.h - 114)
        rows = [Item(str(agent), detail=who) for agent, who in self._seats]
        return [ListMenu(area, rows, pick=self._pick, hint="You play this seat, the others go on by themselves")]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput):
            self._by = hand_of(event.device.word)
        elif isinstance(event, PointerInput) and event.kind == "press":
            self._by = SeatChoice("keyboard")
        return super().handle(event)

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        at = (BOX.left + 30, BOX.top + 26)
        self._heading = theme.draw_text(canvas, self.heading, at, size=theme.LARGE, bold=True, width=BOX.w - 60)
        self.focus.draw(canvas)

    def _pick(self, row: int) -> None:
        self.engine.pop()
        self._take(self._seats[row][0], self._by)
