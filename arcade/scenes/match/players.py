"""Players: who plays in a running match."""

from __future__ import annotations

import pygame

from agents.seats.controller import AgentID
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, Widget
from arcade.scenes import routes
from arcade.scenes.setup.seat_list import SeatListScreen
from arcade.session.seating import describe
from arcade.session.services import Services


class PlayersScene(SeatListScreen):
    """Edits the seats of a running match: Done applies the changes, Esc drops them."""

    heading = "Players"
    legend = "Left, right or click: change    {enter}, {a} or click on Done: play on    {esc} or {b}: cancel"
    first_row = pygame.Rect(theme.MARGIN, 112, 1200, 50)

    def __init__(self, services: Services, route: routes.Players) -> None:
        self._session = route.session
        super().__init__(services, route, route.session.spec, route.session.lineup)

    def widgets(self) -> list[Widget]:
        rows = [self._row(place, agent) for place, agent in enumerate(self.visible)]
        done = Button((theme.MARGIN, 592, 594, 60), "Done", self._done, primary=True, hint="Change the seats")
        leave = Button((646, 592, 594, 60), "Back", self.back, hint="Keep the seats as they are")
        return [*rows, *self.page_buttons(), done, leave]

    def draw_page(self, canvas: pygame.Surface) -> None:
        words = "F2, or Select on a gamepad, takes a seat over or gives it back at once"
        theme.draw_text(canvas, words, (theme.MARGIN + 290, 48), colour=theme.MUTED, width=880)
        self.draw_teams(canvas)

    def _row(self, place: int, agent: AgentID) -> Choice:
        options = self.seating.options(agent)

        def change(index: int) -> None:
            self.seating.put(agent, options[index])
            self.refresh()

        return Choice(
            self.row_rect(place), str(agent), list(map(describe, options)),
            index=options.index(self.seating.lineup[agent]), change=change, hint=f"Who plays {agent}",
        )  # fmt: skip

    def _done(self) -> None:
        before = dict(self._session.lineup)
        for agent, choice in self.seating.lineup.items():
            if choice != before[agent]:
                self._session.seats.seat(agent, choice)
        self.engine.pop()
