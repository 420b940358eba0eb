"""InsightPage: which snapshot looks at a recording from which seat."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import Choice, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.services import Services

BOX = pygame.Rect(290, 84, 700, 560)
NOBODY = "nobody"
EVERY = "every seat that it fits"


class InsightPage(Screen):
    """Lies over the recording; a row taken holds at once, and leads back."""

    heading = "Mind of a machine"
    legend = "Up, down: choose    {enter}, {a} or click: let it look    {esc} or {b}: back"
    transparent = True
    updates_below = True

    def __init__(self, services: Services, route: routes.ChooseInsight) -> None:
        super().__init__(services, route)
        self._agents, self._names, self._now = tuple(route.agents), tuple(route.names), route.now
        self._choose = route.choose
        self._seat = 0  # 0: every seat

    def widgets(self) -> list[Widget]:
        left, width = BOX.left + 30, BOX.w - 60
        seats = Choice(
            (left, BOX.top + 84, width, 52), "Looks from", [EVERY, *map(str, self._agents)],
            index=self._seat, change=self._set_seat, hint="Whose observations it is shown",
        )  # fmt: skip
        rows = [Item(NOBODY), *(Item(name) for name in self._names)]
        index = 1 + self._names.index(self._now) if self._now in self._names else 0
        hint = "What it would do there, and what it expects" if self._names else "No snapshot plays this game yet"
        menu = ListMenu(
            (left, BOX.top + 150, width, BOX.h - 180), rows,
            pick=self._pick, index=index or min(1, len(self._names)), hint=hint,
        )  # fmt: skip
        return [seats, menu]

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.focus.focus(self.focus.widgets[-1], silently=True)

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        at = (BOX.left + 30, BOX.top + 26)
        self._heading = theme.draw_text(canvas, self.heading, at, size=theme.LARGE, bold=True, width=BOX.w - 60)
        self.focus.draw(canvas)

    def _set_seat(self, index: int) -> None:
        self._seat = index

    def _pick(self, row: int) -> None:
        agents = self._agents if self._seat == 0 else (self._agents[self._seat - 1],)
        self.engine.pop()
        self._choose(agents, self._names[row - 1] if row else "")
