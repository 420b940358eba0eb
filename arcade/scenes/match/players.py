"""Players: who sits where in a match that is on: join, leave, take over from a machine, give back."""

from __future__ import annotations

import pygame

from agents.engines.settings import present_seats
from agents.seats.controller import AgentID
from arcade.engine.input.events import DeviceAdded, DeviceRemoved, InputEvent, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.seating import Seating, describe
from arcade.session.services import Services

ROW = pygame.Rect(theme.MARGIN, 112, 1200, 50)
PITCH = 58
SHOWN = 7
"""Rows on the screen at once; larger games have pages."""


class PlayersScene(Screen):
    """Edits the seats of a running match; what was changed holds from Done on, and Esc leaves all as it is."""

    heading = "Who plays"
    legend = "Left, right or click: change    {enter}, {a} or click on Done: play on    {esc} or {b}: leave it"

    def __init__(self, services: Services, route: routes.Players) -> None:
        super().__init__(services, route)
        self._session = route.session
        spec = self._session.spec
        self.seating = Seating(
            spec,
            devices=services.devices.seats,
            snapshots=services.library.names(spec.id),
            endpoints=services.opening.endpoints,
            engines=present_seats(spec.id),
            lineup=self._session.lineup,
        )
        self._top = 0

    def widgets(self) -> list[Widget]:
        rows = [self._row(place, agent) for place, agent in enumerate(self._visible())]
        done = Button((theme.MARGIN, 592, 594, 60), "Done", self._done, primary=True, hint="Everybody takes their seat")
        leave = Button((646, 592, 594, 60), "Back", self.back, hint="Leave the seats as they are")
        pages = [self._pager(-1), self._pager(1)] if len(self._session.spec.agents) > SHOWN else []
        return [*rows, *pages, done, leave]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, DeviceAdded | DeviceRemoved):
            self.seating.set_devices(self.services.devices.seats)
            self.rebuild_here()
        elif isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self._turn_page(1 if event.action == "next" else -1)
        else:
            return super().handle(event)
        return None

    def draw_page(self, canvas: pygame.Surface) -> None:
        spec = self._session.spec
        words = "F2, or Select on a gamepad, takes a seat over or gives it back at once"
        theme.draw_text(canvas, words, (theme.MARGIN + 290, 48), colour=theme.MUTED, width=880)
        for place, agent in enumerate(self._visible()):
            colour = theme.team_colour(spec.team_of(agent))
            row = ROW.move(0, place * PITCH)
            pygame.draw.rect(canvas, colour, (row.left - 14, row.top + 6, 7, row.h - 12))

    def _visible(self) -> tuple[AgentID, ...]:
        return self._session.spec.agents[self._top : self._top + SHOWN]

    def _row(self, place: int, agent: AgentID) -> Choice:
        options = self.seating.options(agent)

        def change(index: int) -> None:
            self.seating.put(agent, options[index])
            self.rebuild_here()

        index = options.index(self.seating.lineup[agent])
        words = [describe(option) for option in options]
        return Choice(
            ROW.move(0, place * PITCH), str(agent), words, index=index, change=change, hint=f"Who decides for {agent}"
        )

    def _pager(self, by: int) -> Button:
        rect = (ROW.left + (0 if by < 0 else ROW.w // 2 + 6), ROW.top + SHOWN * PITCH, ROW.w // 2 - 6, 48)
        enabled = 0 <= self._top + by * SHOWN < len(self._session.spec.agents)
        words = "Seats before" if by < 0 else "More seats"
        return Button(rect, words, lambda: self._turn_page(by), enabled=enabled, hint="Tab or L, R turn the page too")

    def _turn_page(self, by: int) -> None:
        if 0 <= self._top + by * SHOWN < len(self._session.spec.agents):
            self._top += by * SHOWN
            self.rebuild_here()

    def _done(self) -> None:
        """Whoever is new sits down, and play goes on behind the pause."""
        seats = self._session.lineup
        changed = {agent: choice for agent, choice in self.seating.lineup.items() if choice != seats[agent]}
        for agent, choice in changed.items():
            self._session.seats.seat(agent, choice)
        self.engine.pop()
