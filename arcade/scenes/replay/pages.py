"""Dialogs of a replay: the seat to take over, and the snapshot for AI insight."""

from __future__ import annotations

import pygame

from agents.seats.controller import SeatChoice
from arcade.engine.input.events import InputEvent, MenuInput, PointerInput
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import Choice, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.screen import Dialog
from arcade.session.people import seat_choice_of
from arcade.session.services import Services

NONE = "none"
EVERY = "every seat that it can play"


class InsightPage(Dialog):
    """Asks which snapshot gives insight, and from which seats."""

    heading = "AI insight"
    legend = "Up, down: choose    {enter}, {a} or click: show its insight    {esc} or {b}: back"
    box, margin = pygame.Rect(290, 84, 700, 560), (30, 26)

    def __init__(self, services: Services, route: routes.ChooseInsight) -> None:
        super().__init__(services, route)
        self._agents, self._names, self._now = route.spec.agents, tuple(route.names), route.now
        self._choose = route.choose
        self._seat = Choice(
            (self.box.left + 30, self.box.top + 84, self.box.w - 60, 52), "Observes",
            [EVERY, *map(route.spec.seat_title, self._agents)], hint="The seat whose observations it gets",
        )  # fmt: skip

    def widgets(self) -> list[Widget]:
        box = self.box
        left, width = box.left + 30, box.w - 60
        rows = [Item(NONE), *(Item(name) for name in self._names)]
        index = 1 + self._names.index(self._now) if self._now in self._names else 0
        hint = "Its action probabilities and expected return" if self._names else "No snapshot plays this game yet"
        menu = ListMenu(
            (left, box.top + 150, width, box.h - 180), rows,
            pick=self._pick, index=index or min(1, len(self._names)), hint=hint,
        )  # fmt: skip
        return [self._seat, menu]

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.focus.focus(self.focus.widgets[-1], silently=True)

    def _pick(self, row: int) -> None:
        agents = self._agents[self._seat.index - 1 : self._seat.index] or self._agents  # index 0: every seat
        self.engine.pop()
        self._choose(agents, self._names[row - 1] if row else "")


class TakeOverPage(Dialog):
    """Asks which seat to take over, and calls `take(agent, who)` with the device pressed."""

    heading = "Take over which seat?"
    legend = "Up, down: choose    {enter}, {a} or click: play on from here    {esc} or {b}: back"
    updates_below = False
    box, margin = pygame.Rect(290, 120, 700, 470), (30, 26)

    def __init__(self, services: Services, route: routes.TakeOver) -> None:
        super().__init__(services, route)
        self._seats, self._by, self._take = tuple(route.seats), route.by, route.take
        self._title = route.spec.seat_title

    def widgets(self) -> list[Widget]:
        area = (self.box.left + 30, self.box.top + 84, self.box.w - 60, self.box.h - 114)
        rows = [Item(self._title(agent), detail=who) for agent, who in self._seats]
        return [ListMenu(area, rows, pick=self._pick, hint="You play this seat; the recorded players keep theirs")]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput):
            self._by = seat_choice_of(event.device.word)
        elif isinstance(event, PointerInput) and event.kind == "press":
            self._by = SeatChoice("keyboard")
        return super().handle(event)

    def _pick(self, row: int) -> None:
        self.engine.pop()
        self._take(self._seats[row][0], self._by)
